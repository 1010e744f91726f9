// EXPECT: race=verified memory=verified (ten threads push to a list under a lock)
#include <pthread.h>
#include <stdlib.h>
struct node { int v; struct node *next; } *head; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t_fun(void *a) { (void)a; struct node *n = malloc(sizeof *n); n->v = 1; pthread_mutex_lock(&m); n->next = head; head = n; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t ids[4];
  for (int i = 0; i < 4; i++) pthread_create(&ids[i], 0, t_fun, 0);
  for (int i = 0; i < 4; i++) pthread_join(ids[i], 0);
  int c = 0;
  while (head) { struct node *n = head; head = n->next; free(n); c++; }
  return c == 4 ? 0 : 1;
}
