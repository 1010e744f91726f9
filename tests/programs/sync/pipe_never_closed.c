// EXPECT: deadlock=violated twin=pipe_sum (the reader waits for an end that nobody writes)
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int total;  // ordered by the pipe and the join

static void *produce(void *unused) {
  for (int i = 1; i <= 2; i++)
    if (write(ends[1], &i, sizeof i) != sizeof i) break;
  return unused;
}

static void *consume(void *unused) {
  int value, last = 0;
  while (read(ends[0], &value, sizeof value) == (ssize_t)sizeof value) {
    assert(value == last + 1);
    last = value;
    total += value;
  }
  return unused;
}

int main(void) {
  pthread_t producer, consumer;
  if (pipe(ends) != 0) return 1;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  assert(total == 3);
  close(ends[0]);
  return 0;
}
