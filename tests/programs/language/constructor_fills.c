// EXPECT: assert=verified race=verified (a constructor fills the table before main)
#include <assert.h>
#include <pthread.h>

static int table[2];

__attribute__((constructor)) static void fill(void) {
  table[1] = 4;
}

static void *look(void *unused) {
  assert(table[1] == 4);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, look, NULL);

  pthread_join(a, NULL);
  return 0;
}
