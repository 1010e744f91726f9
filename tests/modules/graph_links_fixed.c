// EXPECT: deadlock=verified (graph_links as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define LINKS 4
#define NODES 3

struct node;

struct link {
  struct node *other;
  int weight;
};

/* A station and its links to others; `lock` guards the links and what is counted of them. */
struct node {
  pthread_mutex_t lock;
  int id;
  int degree;
  int weight;
  struct link links[LINKS];
};

struct graph {
  struct node *nodes[NODES];
  int count;
};

static struct node *node_new(int id) {
  struct node *node = calloc(1, sizeof *node);
  if (node == NULL)
    abort();
  pthread_mutex_init(&node->lock, NULL);
  node->id = id;
  return node;
}

static void node_free(struct node *node) {
  pthread_mutex_destroy(&node->lock);
  free(node);
}

static struct graph *graph_new(int count) {
  struct graph *graph = calloc(1, sizeof *graph);
  if (graph == NULL)
    abort();
  for (int i = 0; i < count; i++)
    graph->nodes[i] = node_new(i);
  graph->count = count;
  return graph;
}

static void graph_free(struct graph *graph) {
  for (int i = 0; i < graph->count; i++)
    node_free(graph->nodes[i]);
  free(graph);
}

/* With the lock of `node` held: where its link to `other` is, or -1. */
static int node_find(const struct node *node, const struct node *other) {
  for (int i = 0; i < node->degree; i++)
    if (node->links[i].other == other)
      return i;
  return -1;
}

/* With the lock of `node` held. */
static void node_add(struct node *node, struct node *other, int weight) {
  node->links[node->degree].other = other;
  node->links[node->degree].weight = weight;
  node->degree++;
  node->weight += weight;
}

/* With the lock of `node` held; the last link takes the free place. */
static void node_remove(struct node *node, int at) {
  node->weight -= node->links[at].weight;
  node->degree--;
  node->links[at] = node->links[node->degree];
}

/* Both locks, that of the smaller id first: whoever takes two of them does it in this order. */
static void nodes_lock(struct node *a, struct node *b) {
  struct node *first = a->id < b->id ? a : b;
  struct node *second = a->id < b->id ? b : a;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
}

/* Links two different nodes in both directions. False where one of them is full, or they are linked. */
static bool node_link(struct node *a, struct node *b, int weight) {
  nodes_lock(a, b);
  const bool possible = a->degree < LINKS && b->degree < LINKS && node_find(a, b) < 0;
  if (possible) {
    node_add(a, b, weight);
    node_add(b, a, weight);
  }
  pthread_mutex_unlock(&b->lock);
  pthread_mutex_unlock(&a->lock);
  return possible;
}

/* Takes the link of two different nodes away. False where there is none. */
static bool node_unlink(struct node *a, struct node *b) {
  nodes_lock(a, b);
  const int at = node_find(a, b);
  if (at >= 0) {
    node_remove(a, at);
    node_remove(b, node_find(b, a));
  }
  pthread_mutex_unlock(&b->lock);
  pthread_mutex_unlock(&a->lock);
  return at >= 0;
}

static int node_weight(struct node *node) {
  pthread_mutex_lock(&node->lock);
  const int weight = node->weight;
  pthread_mutex_unlock(&node->lock);
  return weight;
}

static int graph_weight(struct graph *graph) {
  int sum = 0;
  for (int i = 0; i < graph->count; i++)
    sum += node_weight(graph->nodes[i]);
  return sum;
}

struct change {
  struct graph *graph;
  bool removed;
};

static void *planner(void *argument) {
  struct change *change = argument;
  struct graph *graph = change->graph;
  change->removed = node_unlink(graph->nodes[1], graph->nodes[0]);
  return NULL;
}

int main(void) {
  struct graph *graph = graph_new(NODES);
  node_link(graph->nodes[1], graph->nodes[2], 5);
  struct change change = {graph, false};
  pthread_t thread;
  pthread_create(&thread, NULL, planner, &change);
  const bool linked = node_link(graph->nodes[0], graph->nodes[1], 7);
  pthread_join(thread, NULL);
  assert(linked);
  assert(graph_weight(graph) == (change.removed ? 10 : 24));
  graph_free(graph);
  return 0;
}
