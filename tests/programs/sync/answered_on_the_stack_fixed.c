// EXPECT: memory=verified assert=verified deadlock=verified race=verified (signalled while the mutex keeps the caller there)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct request {
  int done;
  pthread_cond_t answered;
};
static struct request *asked;
static void *one(void *arg) {
  struct request r = {0};
  pthread_cond_init(&r.answered, NULL);
  pthread_mutex_lock(&m);
  asked = &r;
  pthread_cond_signal(&c);
  while (!r.done)
    pthread_cond_wait(&r.answered, &m);
  pthread_mutex_unlock(&m);
  return arg;
}
static void *two(void *arg) {
  pthread_mutex_lock(&m);
  while (!asked)
    pthread_cond_wait(&c, &m);
  struct request *r = asked;
  r->done = 1;
  pthread_cond_signal(&r->answered);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
