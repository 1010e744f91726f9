// EXPECT: assert=verified race=verified deadlock=verified twin=thread_id_read_by_thread (main's own use, and an id that is handed on)
#include <assert.h>
#include <pthread.h>

struct worker {
  pthread_t id;
  int number;
};
static struct worker workers[2];
static pthread_t first;

static void *work(void *argument) {
  struct worker *own = argument;
  own->number *= 2;
  return 0;
}

static void *finish(void *argument) {
  pthread_join(*(pthread_t *)argument, 0);
  return 0;
}

int main(void) {
  pthread_t last;
  for (int i = 0; i < 2; i++) {
    workers[i].number = i + 1;
    pthread_create(&workers[i].id, 0, work, &workers[i]);
  }
  for (int i = 0; i < 2; i++) pthread_join(workers[i].id, 0);
  assert(workers[1].number == 4);
  pthread_create(&first, 0, work, &workers[0]);
  pthread_create(&last, 0, finish, &first);
  pthread_join(last, 0);
  assert(workers[0].number == 4);
  return 0;
}
