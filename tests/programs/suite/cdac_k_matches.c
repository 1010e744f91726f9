// EXPECT: assert=verified race=verified memory=verified (a search in parts)
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#define CNT 4
static int data[CNT] = {1, 2, 1, 3}; int matches; pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
typedef struct { int from, to; } part;
void *find(void *p) {
  part *a = (part *)p; int c = 0;
  for (int i = a->from; i < a->to; i++) if (data[i] == 1) c++;
  pthread_mutex_lock(&mu); matches += c; pthread_mutex_unlock(&mu);
  pthread_exit(NULL);
}
int main(void) {
  pthread_t t[2]; pthread_attr_t attr; part *p = calloc(2, sizeof(part));
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_JOINABLE);
  for (int i = 0; i < 2; i++) { p[i].from = 2 * i; p[i].to = 2 * i + 2; int r = pthread_create(&t[i], &attr, find, &p[i]); if (r) { printf("\n %s", strerror(r)); exit(-1); } }
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  pthread_attr_destroy(&attr);
  assert(matches == 2);
  printf("%d\n", matches);
  free(p);
  return 0;
}
