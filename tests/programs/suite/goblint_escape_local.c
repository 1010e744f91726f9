// EXPECT: race=violated memory=verified twin=goblint_escape_local_locked (a local escapes through a global)
#include <pthread.h>
#include <unistd.h>
int *g;
void *t_fun(void *arg) { int *p = (int *)arg; (*p)++; return NULL; }
void *t2_fun(void *arg) { (void)arg; if (g) *g = 4; return NULL; }
int main(void) {
  pthread_t a, b; int i = 0;
  g = &i;
  pthread_create(&a, NULL, t_fun, (void *)&i);
  pthread_create(&b, NULL, t2_fun, NULL);
  sleep(1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return i > 10;
}
