// MPC paper, Figure 8(a): the example on which Strategy 1 loses the error path (i <= 0, j > 0).
//
// Bug. Paper: 4 paths with s2, 3 with s1.
#include <assert.h>
#include <pthread.h>

int heddle_input_int(void);

static int x;

static void *writer(void *unused) {
  int i = heddle_input_int();
  int j = heddle_input_int();
  if (i > 0) {
    x = 1;
  } else {
    if (j > 0)
      x = 2;
    else
      x = 3;
  }
  return unused;
}

static void *reader(void *unused) {
  if (x == 2) assert(0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
