// EXPECT: assert=verified (page_bitmap as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define PAGES 3
#define USERS 2

/* Which of the pages of an arena are taken, a bit for each; changed by all threads, without a lock. */
struct bitmap {
  atomic_uint taken;
  atomic_int given;
};

struct arena {
  struct bitmap bitmap;
  int owners[PAGES];
};

static struct arena *arena_new(void) {
  struct arena *arena = malloc(sizeof *arena);
  if (arena == NULL)
    abort();
  atomic_init(&arena->bitmap.taken, 0);
  atomic_init(&arena->bitmap.given, 0);
  for (int i = 0; i < PAGES; i++)
    arena->owners[i] = 0;
  return arena;
}

static int first_zero(unsigned bits) {
  for (int i = 0; i < PAGES; i++)
    if ((bits & (1u << i)) == 0)
      return i;
  return -1;
}

static int count_ones(unsigned bits) {
  int ones = 0;
  for (int i = 0; i < PAGES; i++)
    if ((bits & (1u << i)) != 0)
      ones++;
  return ones;
}

/* The number of a page that was free; -1 where there is none. */
static int bitmap_take(struct bitmap *bitmap) {
  unsigned taken = atomic_load(&bitmap->taken);
  int page;
  do {
    page = first_zero(taken);
    if (page < 0)
      return -1;
  } while (!atomic_compare_exchange_weak(&bitmap->taken, &taken, taken | 1u << page));
  return page;
}

static void bitmap_give(struct bitmap *bitmap, int page) {
  atomic_fetch_and(&bitmap->taken, ~(1u << page));
  atomic_fetch_add(&bitmap->given, 1);
}

static int bitmap_count(struct bitmap *bitmap) {
  return count_ones(atomic_load(&bitmap->taken));
}

/* The page belongs to `owner` until it is given back. */
static int arena_take(struct arena *arena, int owner) {
  const int page = bitmap_take(&arena->bitmap);
  if (page >= 0)
    arena->owners[page] = owner;
  return page;
}

static void arena_give(struct arena *arena, int page) {
  arena->owners[page] = 0;
  bitmap_give(&arena->bitmap, page);
}

struct user {
  struct arena *arena;
  int number;
  int page;
};

static void *user_main(void *argument) {
  struct user *user = argument;
  user->page = bitmap_take(&user->arena->bitmap);
  return NULL;
}

int main(void) {
  struct arena *arena = arena_new();
  const int own = arena_take(arena, 9);
  struct user users[USERS] = {{arena, 1, -1}, {arena, 2, -1}};
  pthread_t threads[USERS];
  for (int i = 0; i < USERS; i++)
    pthread_create(&threads[i], NULL, user_main, &users[i]);
  for (int i = 0; i < USERS; i++)
    pthread_join(threads[i], NULL);
  assert(users[0].page != users[1].page);
  assert(users[0].page != own && users[1].page != own);
  assert(bitmap_count(&arena->bitmap) == 3);
  arena_give(arena, own);
  assert(bitmap_count(&arena->bitmap) == 2);
  assert(atomic_load(&arena->bitmap.given) == 1);
  free(arena);
  return 0;
}
