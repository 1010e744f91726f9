// EXPECT: memory=violated twin=dyn_thread_array (one too many)
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct job { int id; int out; };
void *w(void *p) { struct job *j = p; j->out = j->id * 2; return j; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 5) return 0;
  pthread_t *t = malloc(sizeof(pthread_t) * n);
  struct job *jobs = calloc(n, sizeof *jobs);
  for (int i = 0; i <= n; i++) { jobs[i].id = i; pthread_create(&t[i], NULL, w, &jobs[i]); }
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  free(t); free(jobs);
  return 0;
}
