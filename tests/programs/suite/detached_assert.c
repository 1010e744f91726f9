// EXPECT: assert=violated twin=detached_assert_early (a detached thread fails while main waits by pthread_exit)
#include <pthread.h>
#include <assert.h>
int x;
void *t(void *a) { (void)a; assert(x == 0); return 0; }
int main() {
  pthread_t id; pthread_attr_t at;
  pthread_attr_init(&at); pthread_attr_setdetachstate(&at, PTHREAD_CREATE_DETACHED);
  pthread_create(&id, &at, t, 0);
  x = 1;
  pthread_exit(0);
}
