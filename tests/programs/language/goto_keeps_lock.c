// EXPECT: assert=verified deadlock=violated twin=goto_unlocks (the error path forgets the lock)
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  if (__VERIFIER_nondet_int() < 0) goto out;
  done++;
  goto unlock;
unlock:
  pthread_mutex_unlock(&lock);
out:
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (done < 0) goto end;
end:
  return 0;
}
