// EXPECT: assert=violated twin=message_passing (the flag is written before the data)
#include <assert.h>
#include <pthread.h>

static int data, flag;

static void *sender(void *unused) {
  flag = 1;
  data = 42;
  return unused;
}

static void *receiver(void *unused) {
  if (flag) assert(data == 42);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, sender, NULL);
  pthread_create(&b, NULL, receiver, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
