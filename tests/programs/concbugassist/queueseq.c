// EXPECT: assert=violated (two enqueuers without a lock)
#include <assert.h>
#include <pthread.h>

static int items[2], head, tail;

static void enqueue(int value) {
  items[tail % 2] = value;
  tail = tail + 1;
}

static int dequeue(void) {
  return head < tail ? items[head++ % 2] : 0;
}

static void *first(void *unused) {
  enqueue(1);
  return unused;
}

static void *second(void *unused) {
  enqueue(2);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  int one = dequeue();
  int other = dequeue();
  assert(one + other == 3);
  return 0;
}
