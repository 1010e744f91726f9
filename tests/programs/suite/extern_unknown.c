// EXPECT: assert=verified-within-bounds (a function from elsewhere)
#include <pthread.h>
#include <assert.h>
extern int getS(void); int s;
void *t(void *a) { (void)a; s = getS(); return 0; }
int main() { pthread_t x; pthread_create(&x, 0, t, 0); pthread_join(x, 0); int y = s; assert(y == s); return 0; }
