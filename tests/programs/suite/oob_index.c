// EXPECT: memory=violated twin=index_in_range (the index grows past the end)
#include <pthread.h>
int a[2], i;
void *t(void *p) { (void)p; a[i++] = 1; return 0; }
int main() { pthread_t x, y; pthread_create(&x, 0, t, 0); pthread_create(&y, 0, t, 0); t(0); pthread_join(x, 0); pthread_join(y, 0); return 0; }
