// EXPECT: assert=violated twin=load_meter_fixed (the highest load is read and written in two steps)
// PATCH, written before the tool ran: in meter_enter
//   -  if (now > atomic_load(&meter->highest))
//   -    atomic_store(&meter->highest, now);
//   +  int highest = atomic_load(&meter->highest);
//   +  while (now > highest && !atomic_compare_exchange_weak(&meter->highest, &highest, now))
//   +    ;
// Review: "a smaller value overwrites a larger one between load and store: compare and exchange in a loop."
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define USERS 2

/* How many are in at once, and how many were at most: written by all threads, without a lock. */
struct meter {
  atomic_int inside;
  atomic_int highest;
  atomic_int entered;
};

static struct meter *meter_new(void) {
  struct meter *meter = malloc(sizeof *meter);
  if (meter == NULL)
    abort();
  atomic_init(&meter->inside, 0);
  atomic_init(&meter->highest, 0);
  atomic_init(&meter->entered, 0);
  return meter;
}

/* Returns how many are inside now, with the caller. */
static int meter_enter(struct meter *meter) {
  const int now = atomic_fetch_add(&meter->inside, 1) + 1;
  atomic_fetch_add(&meter->entered, 1);
  if (now > atomic_load(&meter->highest))
    atomic_store(&meter->highest, now);
  return now;
}

static void meter_leave(struct meter *meter) {
  atomic_fetch_sub(&meter->inside, 1);
}

static int meter_highest(const struct meter *meter) {
  return atomic_load(&meter->highest);
}

struct user {
  struct meter *meter;
  int seen;
};

static void *user_main(void *argument) {
  struct user *user = argument;
  user->seen = meter_enter(user->meter);
  meter_leave(user->meter);
  return NULL;
}

int main(void) {
  struct meter *meter = meter_new();
  struct user users[USERS] = {{meter, 0}, {meter, 0}};
  pthread_t threads[USERS];
  for (int i = 0; i < USERS; i++)
    pthread_create(&threads[i], NULL, user_main, &users[i]);
  for (int i = 0; i < USERS; i++)
    pthread_join(threads[i], NULL);
  const int most = users[0].seen > users[1].seen ? users[0].seen : users[1].seen;
  assert(meter_highest(meter) == most);
  assert(atomic_load(&meter->entered) == USERS);
  free(meter);
  return 0;
}
