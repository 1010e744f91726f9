// EXPECT: assert=verified deadlock=violated twin=longjmp_unlocks (the jump leaves the critical section with the lock)
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int handled;

static void update(jmp_buf failed) {
  pthread_mutex_lock(&lock);
  handled++;

  longjmp(failed, 3);
}

static void *work(void *unused) {
  jmp_buf failed;
  int code = setjmp(failed);
  if (code == 0) update(failed);
  assert(code == 3);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(handled == 2);
  return 0;
}
