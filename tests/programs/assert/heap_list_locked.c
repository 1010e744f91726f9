// EXPECT: assert=verified (a push is one critical section)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  struct node *next;
};

static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *push(void *unused) {
  struct node *node = malloc(sizeof *node);
  pthread_mutex_lock(&lock);
  node->next = head;
  head = node;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, push, NULL);
  pthread_create(&b, NULL, push, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  int length = 0;
  for (struct node *node = head; node != NULL; node = node->next) length++;
  assert(length == 2);
  return 0;
}
