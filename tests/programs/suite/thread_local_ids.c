// EXPECT: assert=verified race=verified (thread-local storage of both spellings)
#include <pthread.h>
#include <assert.h>
__thread int a = 7; static _Thread_local struct { int x, y; } s;
void *w(void *p) { a += (int)(long)p; s.x = a; assert(a == 7 + (int)(long)p && s.x == a && s.y == 0); return &a; }
int main(void) { pthread_t t[3]; for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, w, (void *)(i + 1)); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); assert(a == 7); return 0; }
