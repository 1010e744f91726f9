// Two threads, one string: the first allocates it, the second fills it if it is there. No bug; one constraint makes it always there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *text;

static void *allocate(void *unused) {
  pthread_mutex_lock(&lock);
  text = malloc(9);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *fill(void *unused) {
  pthread_mutex_lock(&lock);
  if (text) strcpy(text, "Bigshot!");
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, allocate, NULL);
  pthread_create(&second, NULL, fill, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(text != NULL);
  return 0;
}
