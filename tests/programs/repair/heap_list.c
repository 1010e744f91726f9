// EXPECT: race=violated (a list without a lock)
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *head;

static void *push(void *arg) {
  struct node *node = malloc(sizeof *node);
  if (node == NULL)
    return NULL;
  node->value = arg == NULL;
  node->next = head;
  head = node;
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, push, NULL);
  pthread_create(&second, NULL, push, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
