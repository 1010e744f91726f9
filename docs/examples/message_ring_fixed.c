// EXPECT: assert=verified race=verified deadlock=verified
// Why: the message is written before the index says so
//
// The twin of message_ring.c: slot first, index second.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2

static int slots[SLOTS];
static atomic_uint head, tail;

static int send(int message) {
  unsigned at = atomic_load(&head);
  if (at - atomic_load(&tail) == SLOTS) return 0;
  slots[at % SLOTS] = message;
  atomic_store(&head, at + 1);
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
