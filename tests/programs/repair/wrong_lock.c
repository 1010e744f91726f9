// EXPECT: race=violated (each side takes its own lock)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int shared;
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg) {
  pthread_mutex_lock(&left);
  shared++;
  pthread_mutex_unlock(&left);
  return arg;
}

static void *other(void *arg) {
  pthread_mutex_lock(&right);
  if (shared == 1) {
    pthread_mutex_unlock(&right);
    return NULL;
  }
  shared--;
  pthread_mutex_unlock(&right);
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, one, NULL);
  pthread_create(&second, NULL, other, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
