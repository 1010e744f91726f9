// EXPECT: assert=verified (read-write lock of atomic functions; two of each)
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_assume(int);
int w, r, x, y;
void __VERIFIER_atomic_take_write_lock() { __VERIFIER_assume(w == 0 && r == 0); w = 1; }
void __VERIFIER_atomic_take_read_lock() { __VERIFIER_assume(w == 0); r = r + 1; }
void __VERIFIER_atomic_release_read_lock() { r = r - 1; }
void *writer(void *arg) { (void)arg; __VERIFIER_atomic_take_write_lock(); x = 3; w = 0; return 0; }
void *reader(void *arg) { (void)arg;
  int l;
  __VERIFIER_atomic_take_read_lock();
  l = x; y = l;
  assert(y == x);
  __VERIFIER_atomic_release_read_lock();
  return 0;
}
int main() {
  pthread_t t1, t2, t3, t4;
  pthread_create(&t1, 0, writer, 0); pthread_create(&t2, 0, reader, 0);
  pthread_create(&t3, 0, writer, 0); pthread_create(&t4, 0, reader, 0);
  pthread_join(t1, 0); pthread_join(t2, 0); pthread_join(t3, 0); pthread_join(t4, 0);
  return 0;
}
