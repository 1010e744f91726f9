// EXPECT: assert=verified race=verified (the letter of the instruction says how much it moves)
#include <assert.h>
#include <pthread.h>

static long value = 0x1234567890;
static long *shared = &value, *old;

static void store(long **where, long *what) {
  __asm__ volatile("movq %1, %0" : "=m"(*(char *)where) : "q"(what) : "memory");
}

static long *load(long **where) {
  long *what;
  __asm__ volatile("movq %1, %0" : "=q"(what) : "m"(*(char *)where) : "memory");
  return what;
}

static long *swap(long **where, long *what) {
  __asm__ volatile("xchgq %0, %1" : "+m"(*(char *)where), "+q"(what) : : "memory");
  return what;
}

static void *work(void *unused) {
  old = swap(&shared, &value);
  return unused;
}

int main(void) {
  static long other;
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  store(&shared, &other);
  pthread_join(thread, NULL);
  assert(load(&shared) == &value || load(&shared) == &other);
  assert(old == &value || old == &other);
  assert(*old == 0x1234567890 || *old == 0);
  return 0;
}
