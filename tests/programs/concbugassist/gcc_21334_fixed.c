// EXPECT: assert=verified (the twin of gcc_21334.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int shared, leaked;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *write_character(void *unused) {
  pthread_mutex_lock(&guard);
  if (shared == 0) {
    leaked = 1;
    assert(shared == 0);
  }
  pthread_mutex_unlock(&guard);
  return unused;
}

static void *copy(void *unused) {
  pthread_mutex_lock(&guard);
  if (!leaked) shared = shared + 1;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, write_character, NULL);
  pthread_create(&b, NULL, copy, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
