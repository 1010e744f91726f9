// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (each gives up the mutex in each round, and what the first one waits for is always set)
#include <assert.h>
#include <pthread.h>

int heddle_input_int(void);

static int begun, asked, answered, input;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
  pthread_mutex_lock(&m);
  begun = 1;
  assert(input != 0);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  while (!asked) {
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
  }
  answered = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *second(void *unused) {
  pthread_mutex_lock(&m);
  asked = begun | 1;
  while (!answered) {
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
  }
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  input = (heddle_input_int() & 3) | 4;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
