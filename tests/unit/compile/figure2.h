// Figure 2 of the MPC paper (three threads and an input) with the six libc headers of a usual pthread
// program: the text that compile times are measured on.
#pragma once

namespace heddle {

inline constexpr const char* kFigure2 = R"c(#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <assert.h>
#include <unistd.h>

int heddle_input_int(const char *name);
int x, y, z;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg) {
  int j = heddle_input_int("j");
  int i;
  for (i = 0; i < j; i++) {
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

static void *second(void *arg) {
  if (x > 2) {
    y = x;
    if (y > 3) z = 1;
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d\n", z);
  assert(z == 0);
  return 0;
}
)c";

}  // namespace heddle
