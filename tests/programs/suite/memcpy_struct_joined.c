// EXPECT: race=verified (written after the copy)
#include <pthread.h>
#include <string.h>
struct s { int a[4]; } src, dst;
void *t(void *p) { (void)p; memcpy(&dst, &src, sizeof src); return 0; }
int main() { pthread_t i; pthread_create(&i, 0, t, 0); pthread_join(i, 0); src.a[3] = 1; return 0; }
