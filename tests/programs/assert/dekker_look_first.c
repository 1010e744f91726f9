// EXPECT: assert=violated twin=dekker (both look before they raise their flag)
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
    int busy = flag2;
    flag1 = 1;
    if (!busy) critical();
    flag1 = 0;
  }
  return unused;
}

static void *second(void *unused) {
  for (int attempt = 0; attempt < 1; attempt++) {
    int busy = flag1;
    flag2 = 1;
    if (!busy) critical();
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
