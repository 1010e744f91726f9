// EXPECT: assert=violated twin=hand_over_both (each number has its lock, but the sum needs both at once)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int left = 10, right;

static void *move_one(void *unused) {
  pthread_mutex_lock(&a);
  left--;
  pthread_mutex_unlock(&a);
  pthread_mutex_lock(&b);
  right++;
  pthread_mutex_unlock(&b);
  return unused;
}

static void *audit(void *unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  assert(left + right == 10);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, move_one, NULL);
  pthread_create(&second, NULL, audit, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
