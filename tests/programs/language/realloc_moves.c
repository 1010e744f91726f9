// EXPECT: assert=verified memory=violated twin=realloc_before (the array moves while a thread reads the old one)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *numbers;

static void *look(void *first) {
  assert(*(int *)first == 1);
  return NULL;
}

int main(void) {
  pthread_t a;
  numbers = malloc(sizeof(int));
  numbers[0] = 1;

  pthread_create(&a, NULL, look, numbers);
  numbers = realloc(numbers, 4 * sizeof(int));
  pthread_join(a, NULL);
  free(numbers);
  return 0;
}
