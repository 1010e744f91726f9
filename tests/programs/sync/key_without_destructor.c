// EXPECT: memory=violated option=--check-leaks twin=key_destructor_free (without a destructor nobody frees what the threads leave)
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *work(void *unused) {
  int *own = malloc(sizeof *own);
  if (own != NULL) *own = 1;
  pthread_setspecific(key, own);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_key_create(&key, NULL);
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  pthread_key_delete(key);
  return 0;
}
