// EXPECT: assert=violated race=violated deadlock=verified
// Why: the index says that a message is there before it is
//
// A ring for one sender and one receiver, without locks. The sender moves `head` on when a message is in its slot.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2

static int slots[SLOTS];
static atomic_uint head, tail;

static int send(int message) {
  unsigned at = atomic_load(&head);
  if (at - atomic_load(&tail) == SLOTS) return 0;
  atomic_store(&head, at + 1);
  slots[at % SLOTS] = message;  // too late: the receiver may have looked
  return 1;
}

static int receive(int *message) {
  unsigned at = atomic_load(&tail);
  if (at == atomic_load(&head)) return 0;
  *message = slots[at % SLOTS];
  atomic_store(&tail, at + 1);
  return 1;
}

static void *sender(void *unused) {
  for (int i = 1; i <= 2; i++) send(i);
  return unused;
}

static void *receiver(void *unused) {
  int message, expected = 1;
  for (int attempt = 0; attempt < 2; attempt++)
    if (receive(&message)) assert(message == expected++);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, sender, NULL);
  pthread_create(&second, NULL, receiver, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
