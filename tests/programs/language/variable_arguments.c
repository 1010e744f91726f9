// EXPECT: assert=violated race=violated twin=variable_arguments_locked (the log is written without the lock)
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

static int log_[4], logged;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void record(int count, ...) {
  va_list values;
  va_start(values, count);
  (void)lock;
  while (count-- > 0) log_[logged++] = va_arg(values, int);

  va_end(values);
}

static void *work(void *unused) {
  record(2, 7, 8);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(logged == 4 && log_[1] == 8 && log_[3] == 8);
  return 0;
}
