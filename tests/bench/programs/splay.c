// splay (con2colic set), a small model of a test driver for a tree library: a shared unbalanced search tree whose searches
// move what they find to the root, under one lock.
//
// No bug: after every operation the tree is ordered. The keys are inputs.
//
// Paper: con2colic 34 runs, 4.6 s; MPC 13 paths, 2.3 s; no bug.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef T
#define T 2
#endif

int heddle_input_int(void);

struct node {
  int key;
  struct node *left, *right;
};

static struct node *root;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct node *makeNode(int key) {
  struct node *node = malloc(sizeof *node);
  node->key = key;
  node->left = node->right = NULL;
  return node;
}

// Rotates `key` to the top of `tree`, or the last node on the way to it.
static struct node *lift(struct node *tree, int key) {
  if (tree == NULL || key == tree->key) return tree;
  if (key < tree->key) {
    struct node *top = lift(tree->left, key);
    if (top == NULL) return tree;
    tree->left = top->right;
    top->right = tree;
    return top;
  }
  struct node *top = lift(tree->right, key);
  if (top == NULL) return tree;
  tree->right = top->left;
  top->left = tree;
  return top;
}

static void insert(int key) {
  struct node *top = lift(root, key);
  if (top != NULL && top->key == key) {
    root = top;
    return;
  }
  struct node *node = makeNode(key);
  if (top != NULL) {
    if (key < top->key) {
      node->right = top;
      node->left = top->left;
      top->left = NULL;
    } else {
      node->left = top;
      node->right = top->right;
      top->right = NULL;
    }
  }
  root = node;
}

static void *work(void *unused) {
  int key = heddle_input_int();
  pthread_mutex_lock(&mutex);
  insert(key);
  assert(root->key == key);
  assert(root->left == NULL || root->left->key < key);
  assert(root->right == NULL || key < root->right->key);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[T];
  root = makeNode(50);
  for (int k = 0; k < T; k++) pthread_create(&threads[k], NULL, work, NULL);
  for (int k = 0; k < T; k++) pthread_join(threads[k], NULL);
  return 0;
}
