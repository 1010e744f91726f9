// EXPECT: assert=verified (the twin of llvm_8441.c: right for every schedule)
#include <assert.h>
#include <pthread.h>

static int refs = 1, in_set = 1, freed;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *drop(void *unused) {
  pthread_mutex_lock(&m);
  __atomic_sub_fetch(&refs, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&refs, __ATOMIC_SEQ_CST) == 0) {
    in_set = 0;
    __atomic_store_n(&freed, 1, __ATOMIC_SEQ_CST);
  }
  pthread_mutex_unlock(&m);
  return unused;
}

static void *get(void *unused) {
  int found = 0;
  pthread_mutex_lock(&m);
  if (in_set) {
    __atomic_add_fetch(&refs, 1, __ATOMIC_SEQ_CST);
    found = 1;
  }
  if (found) assert(!__atomic_load_n(&freed, __ATOMIC_SEQ_CST));
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, drop, NULL);
  pthread_create(&b, NULL, get, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
