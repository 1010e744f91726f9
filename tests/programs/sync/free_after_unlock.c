// EXPECT: misuse=verified memory=verified twin=free_while_locked (unlocked and destroyed first)
#include <pthread.h>
#include <stdlib.h>

struct box {
  pthread_mutex_t m;
  int content;
};

static void *use(void *argument) {
  struct box *box = argument;
  pthread_mutex_lock(&box->m);
  box->content++;
  pthread_mutex_unlock(&box->m);
  pthread_mutex_destroy(&box->m);
  free(box);
  return 0;
}

int main(void) {
  struct box *box = malloc(sizeof *box);
  pthread_t t;
  if (!box) return 1;
  pthread_mutex_init(&box->m, 0);
  box->content = 0;
  if (pthread_create(&t, 0, use, box) != 0) return 1;
  pthread_join(t, 0);
  return 0;
}
