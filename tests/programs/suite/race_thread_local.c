// EXPECT: race=violated assert=verified twin=race_thread_local_locked (a pointer to another thread's variable)
#include <pthread.h>
#include <assert.h>
_Thread_local int mine;
int *shared;
void *t(void *a) { (void)a; mine = 2; (*shared)++; assert(mine == 2); return 0; }
int main() {
  pthread_t id[2];
  shared = &mine;
  for (int i = 0; i < 2; i++) pthread_create(&id[i], 0, t, 0);
  for (int i = 0; i < 2; i++) pthread_join(id[i], 0);
  assert(mine >= 1);
  return 0;
}
