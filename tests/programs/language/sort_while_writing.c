// EXPECT: assert=violated race=violated twin=sort_after_join (the table is sorted while a thread writes it)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int table[3] = {3, 1, 2};

static int byNumber(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void *write_(void *unused) {
  table[0] = 9;
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, write_, NULL);

  qsort(table, 3, sizeof table[0], byNumber);
  pthread_join(a, NULL);
  assert(table[2] == 9);
  return 0;
}
