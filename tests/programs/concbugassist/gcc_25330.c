// EXPECT: assert=violated (two writers use one temporary name)
#include <assert.h>
#include <pthread.h>

static int temporary, written[3];

static void *write_class(void *name) {
  int own = *(int *)name;
  temporary = own;
  assert(temporary != 0);
  written[own] = temporary;
  temporary = 0;
  return NULL;
}

int main(void) {
  static int names[2] = {1, 2};
  pthread_t a, b;
  pthread_create(&a, NULL, write_class, &names[0]);
  pthread_create(&b, NULL, write_class, &names[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(written[1] == 1 && written[2] == 2);
  return 0;
}
