// EXPECT: assert=verified misuse=verified (a destructor runs with the value)
#include <pthread.h>
#include <assert.h>
pthread_key_t key;
int seen;
void destroy(void *val) { assert(val); assert(pthread_getspecific(key) == NULL); seen = *(int *)val; }
static int v = 42;
void *worker(void *k) { (void)k; int r = pthread_setspecific(key, &v); assert(r == 0); return 0; }
int main() {
  int r = pthread_key_create(&key, &destroy);
  assert(r == 0);
  pthread_t tid;
  pthread_create(&tid, NULL, worker, NULL);
  worker(NULL);
  pthread_join(tid, NULL);
  assert(seen == 42);
  assert(pthread_getspecific(key) == &v);
  r = pthread_key_delete(key);
  assert(r == 0);
  return 0;
}
