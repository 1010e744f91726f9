// EXPECT: assert=verified race=verified misuse=verified (each thread has its own value, and its destructor runs)
#include <assert.h>
#include <pthread.h>

int ended;
pthread_key_t key;

static void end(void *value) {
  assert(value != 0);
  __atomic_fetch_add(&ended, 1, __ATOMIC_SEQ_CST);
}

static void *work(void *arg) {
  int own = 1;
  assert(pthread_getspecific(key) == 0);
  pthread_setspecific(key, &own);
  assert(pthread_getspecific(key) == &own);
  return arg;
}

int main(void) {
  pthread_t t1, t2;
  pthread_key_create(&key, end);
  pthread_create(&t1, 0, work, 0);
  pthread_create(&t2, 0, work, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  assert(ended == 2);
  assert(pthread_getspecific(key) == 0);
  return 0;
}
