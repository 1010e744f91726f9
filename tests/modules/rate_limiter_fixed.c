// EXPECT: assert=verified (rate_limiter as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct limiter {
  pthread_mutex_t lock;
  int capacity;
  int tokens;
  int granted;
  int refused;
};

struct client {
  struct limiter *limiter;
  int cost;
  bool served;
};

static struct limiter *limiter_new(int capacity) {
  struct limiter *limiter = malloc(sizeof *limiter);
  if (limiter == NULL)
    abort();
  pthread_mutex_init(&limiter->lock, NULL);
  limiter->capacity = capacity;
  limiter->tokens = capacity;
  limiter->granted = 0;
  limiter->refused = 0;
  return limiter;
}

static void limiter_free(struct limiter *limiter) {
  pthread_mutex_destroy(&limiter->lock);
  free(limiter);
}

/* Takes the tokens that a request costs, if they are there. */
static bool limiter_allow(struct limiter *limiter, int cost) {
  pthread_mutex_lock(&limiter->lock);
  const bool allowed = limiter->tokens >= cost;
  if (allowed) {
    limiter->tokens -= cost;
    limiter->granted++;
  }
  pthread_mutex_unlock(&limiter->lock);
  return allowed;
}

static void limiter_refuse(struct limiter *limiter) {
  pthread_mutex_lock(&limiter->lock);
  limiter->refused++;
  pthread_mutex_unlock(&limiter->lock);
}

/* As time goes by, never beyond the capacity. */
static void limiter_refill(struct limiter *limiter, int amount) {
  pthread_mutex_lock(&limiter->lock);
  limiter->tokens += amount;
  if (limiter->tokens > limiter->capacity)
    limiter->tokens = limiter->capacity;
  pthread_mutex_unlock(&limiter->lock);
}

static int limiter_tokens(struct limiter *limiter) {
  pthread_mutex_lock(&limiter->lock);
  const int tokens = limiter->tokens;
  pthread_mutex_unlock(&limiter->lock);
  return tokens;
}

static void *client_main(void *argument) {
  struct client *client = argument;
  client->served = limiter_allow(client->limiter, client->cost);
  if (!client->served)
    limiter_refuse(client->limiter);
  return NULL;
}

int main(void) {
  const int cost = __VERIFIER_nondet_int();
  __VERIFIER_assume(cost >= 1 && cost <= 3);
  struct limiter *limiter = limiter_new(3);
  struct client clients[2] = {{limiter, cost, false}, {limiter, 2, false}};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, client_main, &clients[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(limiter_tokens(limiter) >= 0);
  assert(limiter->granted + limiter->refused == 2);
  limiter_refill(limiter, 1);
  limiter_free(limiter);
  return 0;
}
