// EXPECT: assert=verified (who sees the other's flag gives up)
#include <assert.h>
#include <pthread.h>

static int flag1, flag2, inside;

static void critical(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

static void *first(void *unused) {
  for (int attempt = 0; attempt < 2; attempt++) {
    flag1 = 1;
    if (!flag2) critical();
    flag1 = 0;
  }
  return unused;
}

static void *second(void *unused) {
  for (int attempt = 0; attempt < 1; attempt++) {
    flag2 = 1;
    if (!flag1) critical();
    flag2 = 0;
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
