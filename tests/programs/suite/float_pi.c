// EXPECT: assert=verified-within-bounds (an integral in parts)
#include <pthread.h>
#include <assert.h>
#include <math.h>
#include <stdio.h>
double sum; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *part(void *a) { int id = *(int *)a; double s = 0; for (int i = id; i < 8; i += 2) s += 1.0 / (1.0 + pow((i + 0.5) / 8, 2)) / 8; pthread_mutex_lock(&m); sum += s; pthread_mutex_unlock(&m); return 0; }
int main() {
  pthread_t t[2]; int id[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, part, &id[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  printf("%f\n", 4 * sum);
  assert(sum > 0.7 && sum < 0.9);
  return 0;
}
