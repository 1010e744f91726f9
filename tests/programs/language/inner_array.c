// EXPECT: memory=violated twin=inner_array_bounded (the bound itself is let through: it is the next member)
#include <pthread.h>

int __VERIFIER_nondet_int(void);

struct cache {
  int hits[4];
  int total;
};

static struct cache cache;

static void *count(void *argument) {
  int slot = *(int *)argument;
  if (slot >= 0 && slot <= 4) ++cache.hits[slot];
  return NULL;
}

int main(void) {
  int slot = __VERIFIER_nondet_int();
  pthread_t thread;
  if (pthread_create(&thread, NULL, count, &slot)) return 1;
  pthread_join(thread, NULL);
  return cache.total;
}
