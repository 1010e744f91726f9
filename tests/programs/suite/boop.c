// EXPECT: assert=violated twin=boop_one_step (driver flag without a lock)
#include <stdio.h>
#include <pthread.h>
#include <assert.h>
int usecount;
int locked;
int flag1 = 0, flag2 = 0;
int LOCK, lockStatus;
int unregister() { flag2 = 0; int ret = 0; if (locked == 0) ret = 0; return ret; }
int dummy_open() { usecount = 1; usecount = usecount + 1; return 0; }
int inc_dummy() { int ret = 0; if (flag1) { flag2 = 1; ret = -1; } else usecount = usecount + 1; return ret; }
void *dispatch(void *arg) { (void)arg; int rc = dummy_open(); if (rc == 0) { usecount = usecount + 1; locked = 1; assert(usecount != 2 || locked); } return 0; }
void *cleanup(void *arg) { (void)arg; usecount = 0; locked = 0; unregister(); return 0; }
int main() {
  pthread_t t;
  usecount = 0;
  pthread_create(&t, 0, cleanup, 0);
  dispatch(0);
  pthread_join(t, 0);
  assert(usecount >= 2 || !locked || usecount == 0);
  assert(usecount != 0 || locked);
  return 0;
}
