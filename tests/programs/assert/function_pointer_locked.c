// EXPECT: assert=verified (handler and argument change and are read together)
#include <assert.h>
#include <pthread.h>

static void expect_one(int argument) { assert(argument == 1); }
static void expect_two(int argument) { assert(argument == 2); }

static void (*handler)(int) = expect_one;
static int argument = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *replace(void *unused) {
  pthread_mutex_lock(&lock);
  handler = expect_two;
  argument = 2;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *call(void *unused) {
  pthread_mutex_lock(&lock);
  int mine = argument;
  void (*chosen)(int) = handler;
  pthread_mutex_unlock(&lock);
  chosen(mine);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, replace, NULL);
  pthread_create(&b, NULL, call, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
