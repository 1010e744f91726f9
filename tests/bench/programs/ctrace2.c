// ctrace2 (con2colic set), a second driver of the tracing library: threads join and leave the table several times, with a
// lock for the table and none for the number of live entries.
//
// Bug: the number of live entries does not agree with the table. What each thread does is an input.
//
// Paper: con2colic not finished, found in runs 4 and 5; MPC 393 paths (found at 2 and 3), 143 s.
#include <assert.h>
#include <pthread.h>

#ifndef T
#define T 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

int heddle_input_int(void);

static int table[T], live;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *traced(void *number) {
  long me = (long)number;
  for (int round = 0; round < ROUNDS; round++) {
    int request = heddle_input_int();
    pthread_mutex_lock(&mutex);
    int present = table[me];
    if (request == 1 && !present) table[me] = 1;
    if (request == 2 && present) table[me] = 0;
    pthread_mutex_unlock(&mutex);
    if (request == 1 && !present) live++;
    if (request == 2 && present) live--;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (long k = 0; k < T; k++) pthread_create(&threads[k], NULL, traced, (void *)k);
  for (int k = 0; k < T; k++) pthread_join(threads[k], NULL);
  int sum = 0;
  for (int k = 0; k < T; k++) sum += table[k];
  assert(live == sum);
  return 0;
}
