// EXPECT: assert=violated twin=function_pointer_locked (the handler is called after it was replaced, with the old argument)
#include <assert.h>
#include <pthread.h>

static void expect_one(int argument) { assert(argument == 1); }
static void expect_two(int argument) { assert(argument == 2); }

static void (*handler)(int) = expect_one;
static int argument = 1;

static void *replace(void *unused) {
  handler = expect_two;
  argument = 2;
  return unused;
}

static void *call(void *unused) {
  int mine = argument;
  handler(mine);
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
