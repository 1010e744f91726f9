// EXPECT: race=violated memory=violated twin=linked_index_fixed (index_remove gives back the lock of the node before, and then changes it)
// PATCH, written before the tool ran: in index_remove
//   -      pthread_mutex_unlock(&previous->lock);
//          previous->next = node->next;
//   +      pthread_mutex_unlock(&previous->lock);
// Review: "previous->next is guarded by previous->lock: unlock it behind the assignment."
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

struct node {
  pthread_mutex_t lock;
  int key;
  struct node *next;
};

static struct node *node_new(int key, struct node *next) {
  struct node *node = malloc(sizeof *node);
  if (node == NULL)
    abort();
  pthread_mutex_init(&node->lock, NULL);
  node->key = key;
  node->next = next;
  return node;
}

/* Sorted; the first node's key is less than all others. Locks go hand over hand. */
struct index {
  struct node *first;
};

static bool index_add(struct index *index, int key) {
  struct node *previous = index->first;
  pthread_mutex_lock(&previous->lock);
  while (previous->next != NULL && previous->next->key < key) {
    struct node *next = previous->next;
    pthread_mutex_lock(&next->lock);
    pthread_mutex_unlock(&previous->lock);
    previous = next;
  }
  bool fresh = previous->next == NULL || previous->next->key != key;
  if (fresh)
    previous->next = node_new(key, previous->next);
  pthread_mutex_unlock(&previous->lock);
  return fresh;
}

static bool index_remove(struct index *index, int key) {
  struct node *previous = index->first;
  pthread_mutex_lock(&previous->lock);
  struct node *node = previous->next;
  while (node != NULL) {
    pthread_mutex_lock(&node->lock);
    if (node->key == key) {
      pthread_mutex_unlock(&previous->lock);
      previous->next = node->next;
      pthread_mutex_unlock(&node->lock);
      free(node);
      return true;
    }
    pthread_mutex_unlock(&previous->lock);
    previous = node;
    node = node->next;
  }
  pthread_mutex_unlock(&previous->lock);
  return false;
}

static int index_count(struct index *index) {
  int count = 0;
  for (struct node *node = index->first->next; node != NULL; node = node->next)
    count++;
  return count;
}

static struct index names;

static void *remover(void *arg) {
  int *key = arg;
  *key = index_remove(&names, *key);
  return NULL;
}

int main(void) {
  pthread_t thread;
  int key = 1;
  int other = __VERIFIER_nondet_int();
  __VERIFIER_assume(other == 2 || other == 3);
  names.first = node_new(INT_MIN, NULL);
  index_add(&names, 1);
  if (pthread_create(&thread, NULL, remover, &key) != 0)
    return 0;
  bool added = index_add(&names, other);
  pthread_join(thread, NULL);
  assert(added && key == 1);
  assert(index_count(&names) == 1);
  return 0;
}
