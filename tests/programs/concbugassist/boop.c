// EXPECT: assert=violated (an open counts itself while the device is being closed)
#include <assert.h>
#include <pthread.h>

static int users, busy;

static int open_device(void) {
  int opened = 0;
  users = users + 1;
  if (!busy) {
    busy = 1;
    opened = 1;
  }
  return opened;
}

static void close_device(void) {
  users = users - 1;
  busy = 0;
}

static void *unregister(void *unused) {
  if (open_device()) {
    close_device();
    assert(users == 0);
  }
  return unused;
}

static void *user(void *unused) {
  if (open_device()) close_device();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, unregister, NULL);
  pthread_create(&b, NULL, user, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
