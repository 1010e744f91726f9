// EXPECT: memory=violated race=violated twin=price_board_fixed (the number of rows is read before the read lock)
// PATCH: in board_sum
//   -  int rows = b->rows;  (before the read lock)
//   +  int rows = b->rows;  (under it)
// Review: "rows may shrink until the lock is held: read it under the lock."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
struct board {
  pthread_rwlock_t lock;
  int rows;
  int *price;
};
static struct board board;
static int board_init(struct board *b, int rows) {
  if (pthread_rwlock_init(&b->lock, 0)) return -1;
  b->price = calloc((size_t)rows, sizeof *b->price);
  if (!b->price) return -1;
  b->rows = rows;
  return 0;
}
static int board_sum(struct board *b) {
  int sum = 0;
  int rows = b->rows;
  pthread_rwlock_rdlock(&b->lock);
  for (int i = 0; i < rows; i++) sum += b->price[i];
  pthread_rwlock_unlock(&b->lock);
  return sum;
}
static int board_set(struct board *b, int row, int price) {
  int done = -1;
  pthread_rwlock_wrlock(&b->lock);
  if (row < b->rows) {
    b->price[row] = price;
    done = 0;
  }
  pthread_rwlock_unlock(&b->lock);
  return done;
}
static int board_resize(struct board *b, int rows) {
  int *fresh = calloc((size_t)rows, sizeof *fresh);
  if (!fresh) return -1;
  pthread_rwlock_wrlock(&b->lock);
  for (int i = 0; i < rows && i < b->rows; i++) fresh[i] = b->price[i];
  int *old = b->price;
  b->price = fresh;
  b->rows = rows;
  pthread_rwlock_unlock(&b->lock);
  free(old);
  return 0;
}
static int wanted;
static void *trader(void *arg) {
  for (int i = 0; i < 2; i++) {
    int sum = board_sum(&board);
    assert(sum >= 0 && sum <= 5);
  }
  return arg;
}
static void *keeper(void *arg) {
  board_set(&board, 0, 5);
  board_resize(&board, wanted);
  return arg;
}
int main(void) {
  pthread_t a, b;
  wanted = __VERIFIER_nondet_int();
  __VERIFIER_assume(wanted >= 1 && wanted <= 3);
  if (board_init(&board, 2)) return 1;
  if (pthread_create(&a, 0, trader, 0)) return 1;
  if (pthread_create(&b, 0, keeper, 0)) {
    pthread_join(a, 0);
    return 1;
  }
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(board.price);
  return 0;
}
