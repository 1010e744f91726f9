// EXPECT: assert=verified race=verified (readers and a writer)
#include <pthread.h>
#include <assert.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int a, b;
void *rd(void *p) { (void)p; pthread_rwlock_rdlock(&l); int x = a, y = b; pthread_rwlock_unlock(&l); assert(x == y); return 0; }
void *wr(void *p) { (void)p; pthread_rwlock_wrlock(&l); a++; b++; pthread_rwlock_unlock(&l); return 0; }
int main() {
  pthread_t t[4];
  for (int i = 0; i < 2; i++) { pthread_create(&t[2 * i], 0, rd, 0); pthread_create(&t[2 * i + 1], 0, wr, 0); }
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  assert(a == 2);
  return 0;
}
