// EXPECT: memory=verified (shared_stack as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define EMPTY (-1)

struct node {
  int value;
  struct node *next;
};

struct stack {
  pthread_mutex_t lock;
  struct node *top;
  int depth;
};

static struct stack *stack_new(void) {
  struct stack *stack = malloc(sizeof *stack);
  if (stack == NULL)
    abort();
  pthread_mutex_init(&stack->lock, NULL);
  stack->top = NULL;
  stack->depth = 0;
  return stack;
}

static void stack_push(struct stack *stack, int value) {
  struct node *node = malloc(sizeof *node);
  if (node == NULL)
    abort();
  node->value = value;
  pthread_mutex_lock(&stack->lock);
  node->next = stack->top;
  stack->top = node;
  stack->depth++;
  pthread_mutex_unlock(&stack->lock);
}

static int stack_pop(struct stack *stack) {
  int value = EMPTY;
  pthread_mutex_lock(&stack->lock);
  struct node *top = stack->top;
  if (top != NULL) {
    value = top->value;
    stack->top = top->next;
    stack->depth--;
    free(top);
  }
  pthread_mutex_unlock(&stack->lock);
  return value;
}

static int stack_depth(struct stack *stack) {
  pthread_mutex_lock(&stack->lock);
  const int depth = stack->depth;
  pthread_mutex_unlock(&stack->lock);
  return depth;
}

static void stack_free(struct stack *stack) {
  while (stack_pop(stack) != EMPTY)
    ;
  pthread_mutex_destroy(&stack->lock);
  free(stack);
}

struct taker {
  struct stack *stack;
  int value;
};

static void *take(void *argument) {
  struct taker *taker = argument;
  taker->value = stack_pop(taker->stack);
  return NULL;
}

int main(void) {
  struct taker taker = {stack_new(), EMPTY};
  pthread_t thread;
  stack_push(taker.stack, 1);
  stack_push(taker.stack, 2);
  pthread_create(&thread, NULL, take, &taker);
  const int value = stack_pop(taker.stack);
  pthread_join(thread, NULL);
  assert(value + taker.value == 3);
  assert(stack_depth(taker.stack) == 0);
  stack_free(taker.stack);
  return 0;
}
