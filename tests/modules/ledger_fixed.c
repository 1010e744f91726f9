// EXPECT: deadlock=verified (ledger as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define ENTRIES 3

struct ledger {
  pthread_mutex_t book_lock;
  int balance;
  pthread_mutex_t journal_lock;
  int amounts[ENTRIES];
  int entries;
  int days;
};

static struct ledger *ledger_new(void) {
  struct ledger *ledger = malloc(sizeof *ledger);
  if (ledger == NULL)
    abort();
  pthread_mutex_init(&ledger->book_lock, NULL);
  pthread_mutex_init(&ledger->journal_lock, NULL);
  ledger->balance = 0;
  ledger->entries = 0;
  ledger->days = 0;
  return ledger;
}

/* With journal_lock held. False where the journal is full. */
static bool ledger_write(struct ledger *ledger, int amount) {
  if (ledger->entries == ENTRIES)
    return false;
  ledger->amounts[ledger->entries] = amount;
  ledger->entries++;
  return true;
}

static bool ledger_post(struct ledger *ledger, int amount) {
  pthread_mutex_lock(&ledger->book_lock);
  pthread_mutex_lock(&ledger->journal_lock);
  const bool written = ledger_write(ledger, amount);
  if (written)
    ledger->balance += amount;
  pthread_mutex_unlock(&ledger->journal_lock);
  pthread_mutex_unlock(&ledger->book_lock);
  return written;
}

/* Returns what the journal's amounts sum up to, and empties it. */
static int ledger_close_day(struct ledger *ledger) {
  int sum = 0;
  pthread_mutex_lock(&ledger->book_lock);
  pthread_mutex_lock(&ledger->journal_lock);
  for (int i = 0; i < ledger->entries; i++)
    sum += ledger->amounts[i];
  ledger->entries = 0;
  ledger->days++;
  ledger->balance -= sum;
  pthread_mutex_unlock(&ledger->journal_lock);
  pthread_mutex_unlock(&ledger->book_lock);
  return sum;
}

static void ledger_free(struct ledger *ledger) {
  pthread_mutex_destroy(&ledger->journal_lock);
  pthread_mutex_destroy(&ledger->book_lock);
  free(ledger);
}

static void *cashier(void *argument) {
  struct ledger *ledger = argument;
  ledger_post(ledger, 5);
  return NULL;
}

int main(void) {
  struct ledger *ledger = ledger_new();
  pthread_t thread;
  pthread_create(&thread, NULL, cashier, ledger);
  const int sum = ledger_close_day(ledger);
  pthread_join(thread, NULL);
  assert(sum == 0 || sum == 5);
  assert(sum + ledger->balance == 5);
  ledger_free(ledger);
  return 0;
}
