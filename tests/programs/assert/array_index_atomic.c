// EXPECT: assert=verified (taking the number is one step)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_slot;
static int slots[3];

static void *claim(void *unused) {
  int mine = atomic_fetch_add(&next_slot, 1);
  slots[mine]++;
  assert(slots[mine] == 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, claim, NULL);
  pthread_create(&b, NULL, claim, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
