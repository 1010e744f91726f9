// EXPECT: assert=verified race=verified (init, probe, work and disconnect in order)
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t mutex;
static pthread_t t1;
int pdev;
void *thread1(void *arg) { (void)arg;
  pthread_mutex_lock(&mutex);
  pdev = 6;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int module_init() {
  pthread_mutex_init(&mutex, NULL);
  pdev = 1;
  assert(pdev == 1);
  if (__VERIFIER_nondet_int()) { pthread_create(&t1, NULL, thread1, NULL); return 0; }
  pdev = 3;
  assert(pdev == 3);
  pthread_mutex_destroy(&mutex);
  return -1;
}
void module_exit() {
  void *status;
  pthread_join(t1, &status);
  pthread_mutex_destroy(&mutex);
  pdev = 5;
  assert(pdev == 5);
}
int main(void) { if (module_init() != 0) goto module_exit; module_exit(); module_exit: return 0; }
