// rbtree (con2colic set), a small model of a test driver for a tree library: threads insert fixed keys into a left-leaning
// red-black tree under one lock.
//
// No bug: in the end the tree is balanced and holds every key. No inputs.
//
// Paper: con2colic crashed; MPC 1 path, 0.5 s; no bug.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef T
#define T 2
#endif
#ifndef KEYS
#define KEYS 2
#endif

struct node {
  int key, red;
  struct node *left, *right;
};

static struct node *root;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int isRed(struct node *node) { return node != NULL && node->red; }

static struct node *rotateLeft(struct node *tree) {
  struct node *top = tree->right;
  tree->right = top->left;
  top->left = tree;
  top->red = tree->red;
  tree->red = 1;
  return top;
}

static struct node *rotateRight(struct node *tree) {
  struct node *top = tree->left;
  tree->left = top->right;
  top->right = tree;
  top->red = tree->red;
  tree->red = 1;
  return top;
}

static struct node *insert(struct node *tree, int key) {
  if (tree == NULL) {
    struct node *node = malloc(sizeof *node);
    node->key = key;
    node->red = 1;
    node->left = node->right = NULL;
    return node;
  }
  if (key < tree->key) tree->left = insert(tree->left, key);
  if (key > tree->key) tree->right = insert(tree->right, key);
  if (isRed(tree->right) && !isRed(tree->left)) tree = rotateLeft(tree);
  if (isRed(tree->left) && isRed(tree->left->left)) tree = rotateRight(tree);
  if (isRed(tree->left) && isRed(tree->right)) {
    tree->red = 1;
    tree->left->red = tree->right->red = 0;
  }
  return tree;
}

static void *work(void *number) {
  int first = (int)(long)number * KEYS;
  for (int k = 0; k < KEYS; k++) {
    pthread_mutex_lock(&mutex);
    root = insert(root, first + k);
    root->red = 0;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

static int size(struct node *tree) { return tree == NULL ? 0 : size(tree->left) + 1 + size(tree->right); }

// Black nodes on every way down; the assertion says that all ways have as many.
static int blackHeight(struct node *tree) {
  if (tree == NULL) return 0;
  int left = blackHeight(tree->left), right = blackHeight(tree->right);
  assert(left == right);
  assert(!(isRed(tree) && isRed(tree->left)));
  return left + !tree->red;
}

int main(void) {
  pthread_t threads[T];
  for (long k = 0; k < T; k++) pthread_create(&threads[k], NULL, work, (void *)k);
  for (int k = 0; k < T; k++) pthread_join(threads[k], NULL);
  assert(size(root) == T * KEYS);
  blackHeight(root);
  return 0;
}
