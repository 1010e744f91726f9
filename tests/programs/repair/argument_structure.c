// EXPECT: race=violated (the structure comes in as an argument)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct task {
  pthread_mutex_t lock;
  int runs;
  int failed;
};

static int run(struct task *task) {
  pthread_mutex_lock(&task->lock);
  task->runs++;
  int now = task->runs;
  pthread_mutex_unlock(&task->lock);
  return now;
}

static int status(struct task *task) {
  if (task->failed)
    return -1;
  return task->runs;
}

static void *work(void *arg) {
  if (run(arg) > 2 || status(arg) < 0)
    return NULL;
  return arg;
}

int main(void) {
  struct task task = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
  pthread_t first, second;
  pthread_create(&first, NULL, work, &task);
  pthread_create(&second, NULL, work, &task);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
