// EXPECT: race=violated twin=task_board_fixed (the number of running tasks goes down without the lock)
// PATCH, written before the tool ran: in board_finish
//   +  pthread_mutex_lock(&board->lock);
//      board->running--;
//   +  pthread_mutex_unlock(&board->lock);
// Review: "board->running belongs to board->lock, as in board_start: take it here too."
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define MOST 2
#define TASKS 3

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

enum task_state { WAITING, RUNNING, DONE };

struct board {
  pthread_mutex_t lock;
  enum task_state tasks[TASKS];
  int running;
  int most;
};

static struct board *board_new(int most) {
  struct board *board = calloc(1, sizeof *board);
  if (board == NULL)
    abort();
  pthread_mutex_init(&board->lock, NULL);
  board->most = most;
  return board;
}

static void board_free(struct board *board) {
  pthread_mutex_destroy(&board->lock);
  free(board);
}

/* A task that was waiting, or -1 where none is or enough are running. */
static int board_start(struct board *board) {
  int found = -1;
  pthread_mutex_lock(&board->lock);
  for (int i = 0; i < TASKS && found < 0 && board->running < board->most; i++)
    if (board->tasks[i] == WAITING)
      found = i;
  if (found >= 0) {
    board->tasks[found] = RUNNING;
    board->running++;
  }
  pthread_mutex_unlock(&board->lock);
  return found;
}

static void board_finish(struct board *board, int task) {
  pthread_mutex_lock(&board->lock);
  board->tasks[task] = DONE;
  pthread_mutex_unlock(&board->lock);
  board->running--;
}

static bool board_idle(struct board *board) {
  pthread_mutex_lock(&board->lock);
  const bool idle = board->running == 0;
  pthread_mutex_unlock(&board->lock);
  return idle;
}

static void work(struct board *board) {
  const int task = board_start(board);
  if (task >= 0)
    board_finish(board, task);
}

static void *worker(void *argument) {
  work(argument);
  return NULL;
}

int main(void) {
  const int most = __VERIFIER_nondet_int();
  __VERIFIER_assume(most >= 1 && most <= MOST);
  struct board *board = board_new(most);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, board);
  work(board);
  pthread_join(thread, NULL);
  assert(board_idle(board));
  board_free(board);
  return 0;
}
