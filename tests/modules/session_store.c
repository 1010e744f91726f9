// EXPECT: memory=violated race=violated twin=session_store_fixed (a session is used after the lock that keeps it alive)
// PATCH, written before the tool ran: in store_touch
//      struct session *session = store_find(store, id);
//   -  pthread_mutex_unlock(&store->lock);
//      if (session != NULL)
//        uses = ++session->uses;
//   +  pthread_mutex_unlock(&store->lock);
// Review: "the session found may be removed once store->lock is given back: use it inside the section."
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct session {
  int id;
  int uses;
  struct session *next;
};

struct store {
  pthread_mutex_t lock;
  struct session *first;
  int open;
};

static struct store *store_new(void) {
  struct store *store = malloc(sizeof *store);
  if (store == NULL)
    abort();
  pthread_mutex_init(&store->lock, NULL);
  store->first = NULL;
  store->open = 0;
  return store;
}

static void store_add(struct store *store, int id) {
  struct session *session = malloc(sizeof *session);
  if (session == NULL)
    abort();
  session->id = id;
  session->uses = 0;
  pthread_mutex_lock(&store->lock);
  session->next = store->first;
  store->first = session;
  store->open++;
  pthread_mutex_unlock(&store->lock);
}

/* With the lock held. */
static struct session *store_find(const struct store *store, int id) {
  struct session *session = store->first;
  while (session != NULL && session->id != id)
    session = session->next;
  return session;
}

/* How often the session was used, or 0 where there is none. */
static int store_touch(struct store *store, int id) {
  int uses = 0;
  pthread_mutex_lock(&store->lock);
  struct session *session = store_find(store, id);
  pthread_mutex_unlock(&store->lock);
  if (session != NULL)
    uses = ++session->uses;
  return uses;
}

static bool store_remove(struct store *store, int id) {
  pthread_mutex_lock(&store->lock);
  struct session **link = &store->first;
  while (*link != NULL && (*link)->id != id)
    link = &(*link)->next;
  struct session *gone = *link;
  if (gone != NULL) {
    *link = gone->next;
    store->open--;
  }
  pthread_mutex_unlock(&store->lock);
  free(gone);
  return gone != NULL;
}

static void store_free(struct store *store) {
  while (store->first != NULL)
    store_remove(store, store->first->id);
  pthread_mutex_destroy(&store->lock);
  free(store);
}

static void *log_out(void *argument) {
  struct store *store = argument;
  store_remove(store, 1);
  return NULL;
}

int main(void) {
  const int id = __VERIFIER_nondet_int();
  __VERIFIER_assume(id >= 1 && id <= 3);
  struct store *store = store_new();
  pthread_t thread;
  store_add(store, 1);
  store_add(store, 2);
  pthread_create(&thread, NULL, log_out, store);
  const int uses = store_touch(store, id);
  pthread_join(thread, NULL);
  assert(uses == (id == 2) || (id == 1 && uses == 1));
  assert(store->open == 1);
  store_free(store);
  return 0;
}
