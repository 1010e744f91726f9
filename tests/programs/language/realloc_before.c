// EXPECT: memory=verified assert=verified (the array has its last place before the thread starts)
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
  numbers = realloc(numbers, 4 * sizeof(int));
  pthread_create(&a, NULL, look, numbers);

  pthread_join(a, NULL);
  free(numbers);
  return 0;
}
