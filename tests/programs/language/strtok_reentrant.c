// EXPECT: race=verified assert=verified (each caller keeps its own place)
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *work(void *unused) {
  char text[] = "a b";
  char *place;
  char *word = strtok_r(text, " ", &place);
  assert(word == text);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);

  return 0;
}
