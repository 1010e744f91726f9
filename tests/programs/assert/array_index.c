// EXPECT: assert=violated twin=array_index_atomic (two threads may take the same slot)
#include <assert.h>
#include <pthread.h>

static int next_slot;
static int slots[3];

static void *claim(void *unused) {
  int mine = next_slot;
  next_slot = mine + 1;
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
