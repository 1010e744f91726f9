// EXPECT: assert=violated twin=parking_places_fixed (the semaphore lets one car more in than there are places)
// PATCH, written before the tool ran: in lot_open
//   -  sem_init(&lot->places, 0, 2);
//   +  sem_init(&lot->places, 0, 1);
// Review: "there is one place: the semaphore has to start with 1."
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

#define CARS 2

/* One place, and who stands on it. */
struct lot {
  sem_t places;
  atomic_int inside;
  atomic_int visits;
};

static struct lot *lot_open(void) {
  struct lot *lot = malloc(sizeof *lot);
  if (lot == NULL)
    abort();
  sem_init(&lot->places, 0, 2);
  atomic_init(&lot->inside, 0);
  atomic_init(&lot->visits, 0);
  return lot;
}

static void lot_enter(struct lot *lot) {
  sem_wait(&lot->places);
  const int others = atomic_fetch_add(&lot->inside, 1);
  assert(others == 0);
}

static void lot_leave(struct lot *lot) {
  atomic_fetch_sub(&lot->inside, 1);
  atomic_fetch_add(&lot->visits, 1);
  sem_post(&lot->places);
}

static int lot_visits(const struct lot *lot) {
  return atomic_load(&lot->visits);
}

static void lot_close(struct lot *lot) {
  sem_destroy(&lot->places);
  free(lot);
}

static void *car(void *argument) {
  struct lot *lot = argument;
  lot_enter(lot);
  lot_leave(lot);
  return NULL;
}

int main(void) {
  struct lot *lot = lot_open();
  pthread_t cars[CARS];
  for (int i = 0; i < CARS; i++)
    pthread_create(&cars[i], NULL, car, lot);
  for (int i = 0; i < CARS; i++)
    pthread_join(cars[i], NULL);
  assert(lot_visits(lot) == CARS);
  lot_close(lot);
  return 0;
}
