// EXPECT: assert=violated twin=ilp32_fib (the largest sum is reached)
extern void abort(void);
void reach_error() { }
typedef unsigned long int pthread_t;
union pthread_attr_t { char __size[36]; long int __align; };
typedef union pthread_attr_t pthread_attr_t;
extern int pthread_create (pthread_t *__restrict __newthread, const pthread_attr_t *__restrict __attr,
      void *(*__start_routine) (void *), void *__restrict __arg);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int p, q, i, j, cur = 1, prev = 0, next = 0, x;
void *t1(void *arg) {
  for (p = 0; p < 3; p++) { __VERIFIER_atomic_begin(); i += j; __VERIFIER_atomic_end(); }
  return 0;
}
void *t2(void *arg) {
  for (q = 0; q < 3; q++) { __VERIFIER_atomic_begin(); j += i; __VERIFIER_atomic_end(); }
  return 0;
}
int fib(void) {
  for (x = 0; x < 8; x++) { next = prev + cur; prev = cur; cur = next; }
  return prev;
}
int main(int argc, char **argv) {
  pthread_t id1, id2;
  i = 1; j = 1;
  pthread_create(&id1, ((void *)0), t1, ((void *)0));
  pthread_create(&id2, ((void *)0), t2, ((void *)0));
  int correct = fib();
  __VERIFIER_atomic_begin();
  _Bool assert_cond = i < correct && j < correct;
  __VERIFIER_atomic_end();
  if (!assert_cond) { ERROR: { reach_error(); abort(); } }
  return 0;
}
