// EXPECT: assert=verified (start_latch as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define PARTS 2

/* Opens when it has been counted down to 0. */
struct latch {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int left;
};

struct part {
  struct latch *latch;
  int ready;
};

static struct latch *latch_new(int count) {
  struct latch *latch = malloc(sizeof *latch);
  if (latch == NULL)
    abort();
  pthread_mutex_init(&latch->lock, NULL);
  pthread_cond_init(&latch->changed, NULL);
  latch->left = count;
  return latch;
}

static void latch_count_down(struct latch *latch) {
  pthread_mutex_lock(&latch->lock);
  if (latch->left > 0)
    latch->left--;
  pthread_cond_broadcast(&latch->changed);
  pthread_mutex_unlock(&latch->lock);
}

static void latch_wait(struct latch *latch) {
  pthread_mutex_lock(&latch->lock);
  while (latch->left > 0)
    pthread_cond_wait(&latch->changed, &latch->lock);
  pthread_mutex_unlock(&latch->lock);
}

static int latch_left(struct latch *latch) {
  pthread_mutex_lock(&latch->lock);
  const int left = latch->left;
  pthread_mutex_unlock(&latch->lock);
  return left;
}

static void latch_free(struct latch *latch) {
  pthread_cond_destroy(&latch->changed);
  pthread_mutex_destroy(&latch->lock);
  free(latch);
}

static void *part_start(void *argument) {
  struct part *part = argument;
  part->ready = 1;
  latch_count_down(part->latch);
  return NULL;
}

int main(void) {
  struct latch *latch = latch_new(PARTS);
  struct part parts[PARTS] = {{latch, 0}, {latch, 0}};
  pthread_t threads[PARTS];
  for (int i = 0; i < PARTS; i++)
    pthread_create(&threads[i], NULL, part_start, &parts[i]);
  latch_wait(latch);
  assert(latch_left(latch) == 0);
  for (int i = 0; i < PARTS; i++)
    pthread_join(threads[i], NULL);
  assert(parts[0].ready && parts[1].ready);
  latch_free(latch);
  return 0;
}
