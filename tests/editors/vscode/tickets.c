#include <assert.h>
#include <pthread.h>

static int tickets = 1;
static int sold;

static void *buy(void *arg) {
  if (tickets > 0) {
    tickets--;
    sold++;
  }
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, buy, 0);
  pthread_create(&second, 0, buy, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(sold == 1);
  return 0;
}
