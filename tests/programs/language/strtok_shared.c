// EXPECT: assert=verified race=violated twin=strtok_reentrant (strtok keeps its place in one variable for all)
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *work(void *unused) {
  char text[] = "a b";

  char *word = strtok(text, " ");
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
