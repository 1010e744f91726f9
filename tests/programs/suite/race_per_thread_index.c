// EXPECT: race=verified memory=verified (each thread its own cell, by an input)
#include <stdlib.h>
#include <pthread.h>
extern void abort(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
extern int __VERIFIER_nondet_int();
int *datas;
void *thread(void *arg) { int i = arg ? *(int *)arg : 0; datas[i] = __VERIFIER_nondet_int(); free(arg); return NULL; }
int main() {
  int threads_total = __VERIFIER_nondet_int();
  assume_abort_if_not(threads_total >= 0 && threads_total <= 3);
  pthread_t *tids = malloc(threads_total * sizeof(pthread_t));
  datas = malloc(threads_total * sizeof(int));
  for (int i = 0; i < threads_total; i++) {
    int *arg = malloc(sizeof(int)); *arg = i;
    pthread_create(&tids[i], NULL, &thread, arg);
  }
  for (int i = 0; i < threads_total; i++) pthread_join(tids[i], NULL);
  free(tids); free(datas);
  return 0;
}
