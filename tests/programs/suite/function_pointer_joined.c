// EXPECT: assert=verified race=verified (the pointer is set when nobody calls it any more)
#include <pthread.h>
#include <assert.h>
typedef void (*fp)(void);
int calls;
void good(void) { calls = 1; }
void bad(void) { calls = 2; }
fp handler = good;
void *t1(void *a) { (void)a; handler = bad; return 0; }
void *t2(void *a) { (void)a; handler(); assert(calls != 2); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&b, 0, t2, 0); pthread_join(b, 0); pthread_create(&a, 0, t1, 0);
  pthread_join(a, 0);
  return 0;
}
