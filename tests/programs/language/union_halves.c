// EXPECT: assert=violated race=violated twin=union_halves_locked (two views of one word)
#include <assert.h>
#include <pthread.h>

static union {
  unsigned whole;
  unsigned short half[2];
} word;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *low(void *unused) {
  (void)lock;
  word.half[0] = 1;

  return unused;
}

static void *all(void *unused) {
  (void)lock;
  word.whole += 0x10000;

  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, low, NULL);
  pthread_create(&b, NULL, all, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(word.whole == 0x10001);
  return 0;
}
