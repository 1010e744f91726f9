// EXPECT: assert=verified (the twin of gcc_25330.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int temporary, written[3];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *write_class(void *name) {
  int own = *(int *)name;
  pthread_mutex_lock(&guard);
  temporary = own;
  assert(temporary != 0);
  written[own] = temporary;
  temporary = 0;
  pthread_mutex_unlock(&guard);
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
