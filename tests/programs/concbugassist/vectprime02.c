// EXPECT: assert=violated (both workers take the same number)
#include <assert.h>
#include <pthread.h>

static int next, numbers[2] = {7, 9}, tested[2], prime[2];

static int is_prime(int n) {
  for (int d = 2; d < n; d++)
    if (n % d == 0) return 0;
  return 1;
}

static void *work(void *unused) {
  int r = next;
  next = r + 1;
  prime[r] = is_prime(numbers[r]);
  tested[r] = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(tested[0] && tested[1]);
  assert(prime[0] && !prime[1]);
  return 0;
}
