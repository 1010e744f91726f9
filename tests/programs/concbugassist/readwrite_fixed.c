// EXPECT: assert=verified (the twin of readwrite.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int w, r, x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused) {
  pthread_mutex_lock(&m);
  if (w != 0 || r != 0) {
    pthread_mutex_unlock(&m);
    return unused;
  }
  w = 1;
  pthread_mutex_unlock(&m);
  x = 3;
  pthread_mutex_lock(&m);
  w = 0;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *reader(void *unused) {
  pthread_mutex_lock(&m);
  if (w != 0) {
    pthread_mutex_unlock(&m);
    return unused;
  }
  r = r + 1;
  pthread_mutex_unlock(&m);
  int l = x;
  y = l;
  assert(y == x);
  pthread_mutex_lock(&m);
  l = r - 1;
  r = l;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], NULL, writer, NULL);
  pthread_create(&t[1], NULL, writer, NULL);
  pthread_create(&t[2], NULL, reader, NULL);
  pthread_create(&t[3], NULL, reader, NULL);
  for (int k = 0; k < 4; k++) pthread_join(t[k], NULL);
  return 0;
}
