// EXPECT: misuse=verified memory=verified deadlock=verified twin=free_while_waited (freed when nobody waits any more)
#include <pthread.h>
#include <stdlib.h>

struct gate {
  pthread_mutex_t m;
  pthread_cond_t c;
  int open;
};

static void *pass(void *argument) {
  struct gate *gate = argument;
  pthread_mutex_lock(&gate->m);
  while (!gate->open) pthread_cond_wait(&gate->c, &gate->m);
  pthread_mutex_unlock(&gate->m);
  return 0;
}

int main(void) {
  struct gate *gate = calloc(1, sizeof *gate);
  pthread_t t;
  if (!gate) return 1;
  pthread_mutex_init(&gate->m, 0);
  pthread_cond_init(&gate->c, 0);
  if (pthread_create(&t, 0, pass, gate) != 0) return 1;
  pthread_mutex_lock(&gate->m);
  gate->open = 1;
  pthread_cond_signal(&gate->c);
  pthread_mutex_unlock(&gate->m);
  pthread_join(t, 0);
  free(gate);
  return 0;
}
