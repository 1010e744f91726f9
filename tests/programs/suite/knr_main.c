// EXPECT: assert=violated twin=knr_main_joined (old declarations)
#include <pthread.h>
int g;
void *thr(arg) void *arg; { g = 1; return 0; }
main() { pthread_t t; pthread_create(&t, 0, thr, 0); assert(g == 0); pthread_join(t, 0); }
