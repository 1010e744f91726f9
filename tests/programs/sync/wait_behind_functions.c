// EXPECT: assert=verified deadlock=verified race=verified twin=wait_ends_by_itself (the loop around the wait and the wait are in functions of their own)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;

static int is_empty(void) { return items == 0; }

static void pause_for_item(void) {
  int error = pthread_cond_wait(&c, &m);
  assert(error == 0);
}

static void *consume(void *unused) {
  pthread_mutex_lock(&m);
  while (is_empty()) pause_for_item();
  assert(items > 0);
  --items;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, consume, 0);
  pthread_create(&b, 0, consume, 0);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    ++items;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  }
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(items == 0);
  return 0;
}
