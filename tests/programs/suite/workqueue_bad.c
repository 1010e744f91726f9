// EXPECT: deadlock=violated race=verified twin=workqueue_broadcast (stop by signal: one worker goes on waiting)
#include <pthread.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
struct { struct node *head; int stop; pthread_mutex_t m; pthread_cond_t c; } q = { 0, 0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER };
void *worker(void *a) {
  for (;;) {
    pthread_mutex_lock(&q.m);
    while (!q.head && !q.stop) pthread_cond_wait(&q.c, &q.m);
    if (!q.head) { pthread_mutex_unlock(&q.m); return 0; }
    struct node *n = q.head; q.head = n->next;
    pthread_mutex_unlock(&q.m);
    free(n);
  }
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
  struct node *n = malloc(sizeof *n); n->v = 1; pthread_mutex_lock(&q.m); n->next = q.head; q.head = n; pthread_cond_signal(&q.c); pthread_mutex_unlock(&q.m);
  pthread_mutex_lock(&q.m); q.stop = 1; pthread_cond_signal(&q.c); pthread_mutex_unlock(&q.m);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
