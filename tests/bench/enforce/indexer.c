// indexer: 15 threads put four messages each into a shared hash
// table with linear probing; an entry is claimed by compare-and-swap.
//
// No bug: nobody probes the whole table. Some hashes of threads behind the eleventh meet those of others.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef T
#define T 15
#endif
#define SIZE 128
#define MESSAGES 4

static atomic_int table[SIZE];

static void *insert(void *number) {
  int mine = (int)(long)number;
  for (int m = 1; m <= MESSAGES; m++) {
    int message = m * 11 + mine;
    int h = (message * 7) % SIZE;
    int probes = 0;
    int expected = 0;
    while (!atomic_compare_exchange_strong(&table[h], &expected, message)) {
      h = (h + 1) % SIZE;
      expected = 0;
      probes++;
      assert(probes < SIZE);
    }
  }
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (long k = 0; k < T; k++) pthread_create(&threads[k], NULL, insert, (void *)k);
  for (int k = 0; k < T; k++) pthread_join(threads[k], NULL);
  return 0;
}
