// EXPECT: assert=violated twin=heap_list_locked (two pushes read the same head, and one node is lost)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  struct node *next;
};

static struct node *head;

static void *push(void *unused) {
  struct node *node = malloc(sizeof *node);
  node->next = head;
  head = node;
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
