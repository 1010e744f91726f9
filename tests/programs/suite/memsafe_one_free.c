// EXPECT: memory=verified race=verified (one of them frees it)
#include <pthread.h>
#include <stdlib.h>
char *p; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) { (void)a; pthread_mutex_lock(&m); if (p) { free(p); p = 0; } pthread_mutex_unlock(&m); return 0; }
int main() {
  pthread_t id;
  p = malloc(4);
  pthread_create(&id, 0, t, 0);
  t(0);
  pthread_join(id, 0);
  return 0;
}
