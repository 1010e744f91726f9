// EXPECT: assert=verified race=verified memory=verified (slices of heap memory, given in structures that the loop of creates fills)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define N 6000
#define T 3
struct job { int *from; int count, sum; } jobs[T * 4];
void *w(void *p) { struct job *j = p; for (int i = 0; i < j->count; i++) { j->from[i] = i & 1; j->sum += j->from[i]; } return 0; }
int main(void) {
  pthread_t t[T]; int *data = malloc(N * sizeof(int)), sum = 0;
  for (int k = 0; k < T; k++) { jobs[k].from = data + k * (N / T); jobs[k].count = N / T; pthread_create(&t[k], 0, w, &jobs[k]); }
  for (int k = 0; k < T; k++) { pthread_join(t[k], 0); sum += jobs[k].sum; }
  assert(sum == N / 2);
  free(data);
  return 0;
}
