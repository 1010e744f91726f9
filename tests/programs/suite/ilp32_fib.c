// EXPECT: assert=verified (two adders, the sum of steps stays below the Fibonacci number)
extern void abort(void);
extern void __assert_fail (const char *__assertion, const char *__file, unsigned int __line, const char *__function)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
void reach_error() { __assert_fail("0", "ilp32_fib.c", 3, "reach_error"); }
typedef unsigned int size_t;
typedef unsigned long int pthread_t;
union pthread_attr_t { char __size[36]; long int __align; };
typedef union pthread_attr_t pthread_attr_t;
extern int pthread_create (pthread_t *__restrict __newthread, const pthread_attr_t *__restrict __attr,
      void *(*__start_routine) (void *), void *__restrict __arg) __attribute__ ((__nothrow__)) __attribute__ ((__nonnull__ (1, 3)));
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
  __VERIFIER_atomic_begin(); i = 1; __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin(); j = 1; __VERIFIER_atomic_end();
  pthread_create(&id1, ((void *)0), t1, ((void *)0));
  pthread_create(&id2, ((void *)0), t2, ((void *)0));
  int correct = fib();
  __VERIFIER_atomic_begin();
  _Bool assert_cond = i <= correct && j <= correct;
  __VERIFIER_atomic_end();
  if (!assert_cond) { ERROR: { reach_error(); abort(); } }
  return 0;
}
