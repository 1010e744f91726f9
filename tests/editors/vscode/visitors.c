/* Which sides of these branches can be taken? */
#include <pthread.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static int visitors, first;

static void *clerk(void *name) {
  pthread_mutex_lock(&door);
  visitors = visitors + 1;
  if (visitors == 1) first = *(int *)name;
  if (visitors > 2) visitors = 0; /* there are two clerks */
  pthread_mutex_unlock(&door);
  return name;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, clerk, &one);
  pthread_create(&b, NULL, clerk, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (first == 2) return 2;
  if (visitors != 2) return 1;
  return 0;
}
