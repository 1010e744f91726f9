// EXPECT: assert=verified (sold under a lock)
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#define TICKETS 2
int sold, stop_sales; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *sale(void *arg) { (void)arg;
  pthread_mutex_lock(&m); if (!stop_sales) { sold++; if (sold >= TICKETS) stop_sales = 1; } pthread_mutex_unlock(&m);
  return 0;
}
int main(int argc, char **argv) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) { if (pthread_create(&t[i], NULL, sale, NULL)) { fprintf(stderr, "Error creating thread\n"); return 1; } }
  for (int i = 0; i < 3; i++) if (pthread_join(t[i], NULL)) { fprintf(stderr, "Error joining thread\n"); return 2; }
  if (sold > TICKETS) assert(0);
  return 0;
}
