// EXPECT: race=violated (a structure has its own lock and one function forgets it)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct stock {
  pthread_mutex_t lock;
  int items;
};

static struct stock store = {PTHREAD_MUTEX_INITIALIZER, 0};

static void *seller(void *arg) {
  struct stock *stock = &store;
  pthread_mutex_lock(&stock->lock);
  stock->items++;
  pthread_mutex_unlock(&stock->lock);
  return arg;
}

static void *buyer(void *arg) {
  struct stock *stock = &store;
  if (stock->items == 0)
    return NULL;
  stock->items--;
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, seller, NULL);
  pthread_create(&second, NULL, buyer, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
