// EXPECT: assert=verified race=verified deadlock=verified (the read of the counter waits for the write)
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int ready, data;

static void *produce(void *unused) {
  const uint64_t one = 1;
  data = 42;
  if (write(ready, &one, sizeof one) != sizeof one) return NULL;
  return unused;
}

int main(void) {
  pthread_t producer;
  uint64_t count = 0;
  ready = eventfd(0, 0);
  pthread_create(&producer, NULL, produce, NULL);
  if (read(ready, &count, sizeof count) == (ssize_t)sizeof count) assert(data == 42 && count == 1);
  pthread_join(producer, NULL);
  close(ready);
  return 0;
}
