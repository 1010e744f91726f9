// EXPECT: race=verified assert=verified (join orders main's access)
#include <pthread.h>
#include <assert.h>
int g;
pthread_t other;
void *inner(void *arg) { (void)arg; g = 7; return NULL; }
void *t_fun(void *arg) { (void)arg; pthread_create(&other, NULL, inner, NULL); return NULL; }
int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, t_fun, NULL);
  pthread_join(a, NULL);
  pthread_join(other, NULL);
  assert(g == 7);
  return 0;
}
