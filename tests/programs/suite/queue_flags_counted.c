// EXPECT: assert=verified race=verified (the flags say when, counters of its own say which)
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#define SIZE 4
#define EMPTY (-1)
#define FULL (-2)
typedef struct { int element[SIZE]; int head; int tail; int amount; } QType;
pthread_mutex_t m;
int stored_elements[SIZE];
_Bool enqueue_flag, dequeue_flag;
QType queue;
int init(QType *q) { q->head = 0; q->tail = 0; q->amount = 0; return 0; }
int empty(QType *q) { if (q->head == q->tail) { printf("queue is empty\n"); return EMPTY; } else return 0; }
int full(QType *q) { if (q->amount == SIZE) { printf("queue is full\n"); return FULL; } else return 0; }
int enqueue(QType *q, int x) {
  q->element[q->tail] = x; q->amount++;
  if (q->tail == SIZE) q->tail = 1; else q->tail++;
  return 0;
}
int dequeue(QType *q) {
  int x = q->element[q->head]; q->amount--;
  if (q->head == SIZE) q->head = 1; else q->head++;
  return x;
}
int __VERIFIER_nondet_int(void);
void *t1(void *arg) { (void)arg;
  int value, i, stored = 1;
  pthread_mutex_lock(&m);
  value = __VERIFIER_nondet_int();
  assert(!enqueue(&queue, value));
  stored_elements[0] = value;
  assert(!empty(&queue));
  pthread_mutex_unlock(&m);
  for (i = 0; i < SIZE - 1; i++) {
    pthread_mutex_lock(&m);
    if (enqueue_flag) {
      value = __VERIFIER_nondet_int();
      enqueue(&queue, value);
      stored_elements[stored++] = value;
      enqueue_flag = 0; dequeue_flag = 1;
    }
    pthread_mutex_unlock(&m);
  }
  return NULL;
}
void *t2(void *arg) { (void)arg;
  int i;
  int taken = 0;
  for (i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&m);
    if (dequeue_flag) {
      assert(dequeue(&queue) == stored_elements[taken++]);
      dequeue_flag = 0; enqueue_flag = 1;
    }
    pthread_mutex_unlock(&m);
  }
  return NULL;
}
int main(void) {
  pthread_t id1, id2;
  enqueue_flag = 1; dequeue_flag = 0;
  init(&queue);
  assert(empty(&queue) == EMPTY);
  pthread_mutex_init(&m, 0);
  pthread_create(&id1, NULL, t1, &queue);
  pthread_create(&id2, NULL, t2, &queue);
  pthread_join(id1, NULL);
  pthread_join(id2, NULL);
  pthread_mutex_destroy(&m);
  return 0;
}
