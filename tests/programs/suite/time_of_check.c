// EXPECT: memory=violated twin=time_of_check_once (null after the check)
#include <pthread.h>
#include <stddef.h>
struct { int v; } obj; typeof(obj) *p = &obj;
void *t(void *a) { (void)a; p = NULL; return 0; }
int main() { pthread_t i; pthread_create(&i, 0, t, 0); if (p) p->v = 1; pthread_join(i, 0); return 0; }
