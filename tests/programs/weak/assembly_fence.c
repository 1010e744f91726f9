// EXPECT: assert=verified (a locked instruction orders stores before it and loads behind it)
#include <assert.h>
#include <pthread.h>

static int wants[2], reads[2], used;

static void store(int *where, int value) {
  __asm__ volatile("movl %1, %0" : "=m"(*where) : "r"(value) : "memory");
}

static int load(int *where) {
  int value;
  __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*where) : "memory");
  return value;
}

static void order(void) {
  __asm__ volatile("lock; incl %0" : "+m"(used) : : "memory");
}

static void *other(void *unused) {
  store(&wants[1], 1);
  order();
  reads[1] = load(&wants[0]);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  store(&wants[0], 1);
  order();
  reads[0] = load(&wants[1]);
  pthread_join(thread, NULL);
  assert(reads[0] || reads[1]);
  return 0;
}
