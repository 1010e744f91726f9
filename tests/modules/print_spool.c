// EXPECT: race=violated twin=print_spool_fixed (the result of a trylock is not looked at)
// PATCH, written before the tool ran: in spool_add
//   -  pthread_mutex_trylock(&spool->lock);
//   +  pthread_mutex_lock(&spool->lock);
// Review: "trylock may fail, and then nothing is locked: lock and wait."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define JOBS 4

struct job {
  int owner;
  int pages;
};

struct spool {
  pthread_mutex_t lock;
  struct job jobs[JOBS];
  int waiting;
  int pages;
};

static struct spool *spool_open(void) {
  struct spool *spool = calloc(1, sizeof *spool);
  if (spool == NULL)
    abort();
  pthread_mutex_init(&spool->lock, NULL);
  return spool;
}

static void spool_close(struct spool *spool) {
  pthread_mutex_destroy(&spool->lock);
  free(spool);
}

/* The job's place in the queue, or -1 where the queue is full. */
static int spool_add(struct spool *spool, int owner, int pages) {
  int place = -1;
  pthread_mutex_trylock(&spool->lock);
  if (spool->waiting < JOBS) {
    place = spool->waiting;
    spool->jobs[place].owner = owner;
    spool->jobs[place].pages = pages;
    spool->waiting++;
    spool->pages += pages;
  }
  pthread_mutex_unlock(&spool->lock);
  return place;
}

static int spool_pages_of(struct spool *spool, int owner) {
  int sum = 0;
  pthread_mutex_lock(&spool->lock);
  for (int i = 0; i < spool->waiting; i++)
    if (spool->jobs[i].owner == owner)
      sum += spool->jobs[i].pages;
  pthread_mutex_unlock(&spool->lock);
  return sum;
}

struct user {
  struct spool *spool;
  int number;
  int place;
};

static void *print_two(void *argument) {
  struct user *user = argument;
  user->place = spool_add(user->spool, user->number, 2);
  return NULL;
}

int main(void) {
  struct spool *spool = spool_open();
  struct user users[2] = {{spool, 1, -1}, {spool, 2, -1}};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, print_two, &users[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(users[0].place != users[1].place);
  assert(spool_pages_of(spool, 1) + spool_pages_of(spool, 2) == spool->pages);
  spool_close(spool);
  return 0;
}
