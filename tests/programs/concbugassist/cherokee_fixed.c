// EXPECT: assert=verified (the twin of cherokee.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int length, buffer[3];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void append(int id) {
  pthread_mutex_lock(&guard);
  buffer[length] = id;
  length = length + 1;
  buffer[length] = 0;
  pthread_mutex_unlock(&guard);
}

static void *first(void *unused) {
  append(1);
  return unused;
}

static void *second(void *unused) {
  append(2);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(buffer[0] + buffer[1] == 3);
  return 0;
}
