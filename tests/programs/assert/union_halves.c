// EXPECT: assert=violated twin=union_word (one thread writes the halves of a word, the other reads the word)
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
  uint32_t word;
  uint16_t halves[2];
} shared;

static void *writer(void *unused) {
  shared.halves[0] = 0x1111;
  shared.halves[1] = 0x1111;
  return unused;
}

static void *reader(void *unused) {
  uint32_t seen = shared.word;
  assert(seen == 0 || seen == 0x11111111);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
