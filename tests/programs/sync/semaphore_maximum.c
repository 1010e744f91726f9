// EXPECT: assert=verified deadlock=verified (of two posts one fails, and a wait makes room again)
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int failed[2];

static void *post(void *k) {
  if (sem_post(&s) != 0) {
    assert(errno == EOVERFLOW);
    failed[(long)k] = 1;
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  assert(sem_init(&s, 0, (unsigned)INT_MAX + 1) == -1 && errno == EINVAL);
  assert(sem_init(&s, 0, INT_MAX - 1) == 0);
  pthread_create(&a, NULL, post, (void *)0);
  pthread_create(&b, NULL, post, (void *)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(failed[0] + failed[1] == 1);
  sem_wait(&s);
  assert(sem_post(&s) == 0 && sem_post(&s) == -1);
  return 0;
}
