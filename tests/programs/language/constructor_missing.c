// EXPECT: assert=violated twin=constructor_fills (a thread may look before the table is filled)
#include <assert.h>
#include <pthread.h>

static int table[2];

static void fill(void) {
  table[1] = 4;
}

static void *look(void *unused) {
  assert(table[1] == 4);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, look, NULL);
  fill();
  pthread_join(a, NULL);
  return 0;
}
