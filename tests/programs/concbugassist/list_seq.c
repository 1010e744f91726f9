// EXPECT: assert=violated (two adds to one array list)
#include <assert.h>
#include <pthread.h>

static int list[2], open_slot;

static void list_add(int value) {
  list[open_slot] = value;
  open_slot = open_slot + 1;
}

static void *first(void *unused) {
  list_add(1);
  return unused;
}

static void *second(void *unused) {
  list_add(2);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(list[0] == 1 || list[1] == 1);
  assert(list[0] == 2 || list[1] == 2);
  return 0;
}
