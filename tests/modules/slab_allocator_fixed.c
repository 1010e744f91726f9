// EXPECT: race=verified (slab_allocator as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BLOCKS 3
#define NONE (-1)

struct block {
  int bytes[2];
};

struct slab {
  pthread_mutex_t lock;
  struct block blocks[BLOCKS];
  int next[BLOCKS];
  int free;
  int taken;
};

static struct slab *slab_new(void) {
  struct slab *slab = malloc(sizeof *slab);
  if (slab == NULL)
    abort();
  pthread_mutex_init(&slab->lock, NULL);
  for (int i = 0; i < BLOCKS; i++)
    slab->next[i] = i + 1 < BLOCKS ? i + 1 : NONE;
  slab->free = 0;
  slab->taken = 0;
  return slab;
}

/* A block that is now the caller's, or NULL. */
static struct block *slab_take(struct slab *slab) {
  struct block *block = NULL;
  pthread_mutex_lock(&slab->lock);
  if (slab->free != NONE) {
    block = &slab->blocks[slab->free];
    slab->free = slab->next[slab->free];
    slab->taken++;
  }
  pthread_mutex_unlock(&slab->lock);
  return block;
}

static void slab_give(struct slab *slab, struct block *block) {
  const int number = (int)(block - slab->blocks);
  pthread_mutex_lock(&slab->lock);
  slab->next[number] = slab->free;
  slab->free = number;
  slab->taken--;
  pthread_mutex_unlock(&slab->lock);
}

static int slab_taken(struct slab *slab) {
  pthread_mutex_lock(&slab->lock);
  const int taken = slab->taken;
  pthread_mutex_unlock(&slab->lock);
  return taken;
}

static void slab_free(struct slab *slab) {
  pthread_mutex_destroy(&slab->lock);
  free(slab);
}

static void *worker(void *argument) {
  struct slab *slab = argument;
  struct block *block = slab_take(slab);
  if (block == NULL)
    return NULL;
  block->bytes[0] = 1;
  slab_give(slab, block);
  return NULL;
}

int main(void) {
  struct slab *slab = slab_new();
  struct block *kept = slab_take(slab);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, slab);
  struct block *block = slab_take(slab);
  if (block != NULL) {
    block->bytes[0] = 2;
    assert(block->bytes[0] == 2);
    slab_give(slab, block);
  }
  pthread_join(thread, NULL);
  slab_give(slab, kept);
  assert(slab_taken(slab) == 0);
  slab_free(slab);
  return 0;
}
