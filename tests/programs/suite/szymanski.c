// EXPECT: assert=verified (Szymanski's lock for two)
#include <pthread.h>
#include <assert.h>
int flag1, flag2, x;
void *thr1(void *arg) { (void)arg;
  flag1 = 1;
  while (flag2 >= 3) ;
  flag1 = 3;
  if (flag2 == 1) { flag1 = 2; while (flag2 != 4) ; }
  flag1 = 4;
  while (flag2 >= 2) ;
  x = 0;
  assert(x <= 0);
  while (2 <= flag2 && flag2 <= 3) ;
  flag1 = 0;
  return 0;
}
void *thr2(void *arg) { (void)arg;
  flag2 = 1;
  while (flag1 >= 3) ;
  flag2 = 3;
  if (flag1 == 1) { flag2 = 2; while (flag1 != 4) ; }
  flag2 = 4;
  while (flag1 >= 2) ;
  x = 1;
  assert(x >= 1);
  while (2 <= flag1 && flag1 <= 3) ;
  flag2 = 0;
  return 0;
}
int main() {
  pthread_t t1, t2;
  pthread_create(&t1, 0, thr1, 0); pthread_create(&t2, 0, thr2, 0);
  pthread_join(t1, 0); pthread_join(t2, 0);
  return 0;
}
