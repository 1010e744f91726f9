// EXPECT: memory=violated race=violated twin=memsafe_one_free (both free it)
#include <pthread.h>
#include <stdlib.h>
char *p;
void *t(void *a) { (void)a; if (p) { free(p); p = 0; } return 0; }
int main() {
  pthread_t id;
  p = malloc(4);
  pthread_create(&id, 0, t, 0);
  t(0);
  pthread_join(id, 0);
  return 0;
}
