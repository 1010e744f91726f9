// EXPECT: deadlock=verified (cell_line as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);

struct cell {
  pthread_mutex_t lock;
  pthread_cond_t filled, emptied;
  int full;
  int value;
};

static void cell_init(struct cell *cell) {
  pthread_mutex_init(&cell->lock, NULL);
  pthread_cond_init(&cell->filled, NULL);
  pthread_cond_init(&cell->emptied, NULL);
  cell->full = 0;
}

static void cell_put(struct cell *cell, int value) {
  pthread_mutex_lock(&cell->lock);
  while (cell->full)
    pthread_cond_wait(&cell->emptied, &cell->lock);
  cell->value = value;
  cell->full = 1;
  pthread_cond_signal(&cell->filled);
  pthread_mutex_unlock(&cell->lock);
}

static int cell_take(struct cell *cell) {
  int value;
  pthread_mutex_lock(&cell->lock);
  while (!cell->full)
    pthread_cond_wait(&cell->filled, &cell->lock);
  value = cell->value;
  cell->full = 0;
  pthread_cond_signal(&cell->emptied);
  pthread_mutex_unlock(&cell->lock);
  return value;
}

static struct cell first, second;

static void *relay(void *arg) {
  for (int i = 0; i < 2; i++)
    cell_put(&second, cell_take(&first) + 1);
  return arg;
}

int main(void) {
  pthread_t thread;
  int a = __VERIFIER_nondet_int() & 0xff, sum = 0;
  cell_init(&first);
  cell_init(&second);
  if (pthread_create(&thread, NULL, relay, NULL) != 0)
    return 0;
  cell_put(&first, a);
  cell_put(&first, a);
  for (int i = 0; i < 2; i++)
    sum += cell_take(&second);
  pthread_join(thread, NULL);
  assert(sum == 2 * (a + 1));
  return 0;
}
