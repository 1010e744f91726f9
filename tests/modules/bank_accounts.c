// EXPECT: deadlock=violated twin=bank_accounts_fixed (each transfer locks its own account first)
// PATCH, written before the tool ran: in bank_transfer
//   -  pthread_mutex_lock(&from->lock);
//   -  pthread_mutex_lock(&to->lock);
//   +  struct account *first = from->number < to->number ? from : to;
//   +  struct account *second = from->number < to->number ? to : from;
//   +  pthread_mutex_lock(&first->lock);
//   +  pthread_mutex_lock(&second->lock);
// Review: "two transfers in opposite directions wait for each other: lock the account with the smaller number first."
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define ACCOUNTS 2

struct account {
  pthread_mutex_t lock;
  int number;
  int balance;
};

struct bank {
  struct account accounts[ACCOUNTS];
};

static struct bank *bank_open(int balance) {
  struct bank *bank = malloc(sizeof *bank);
  if (bank == NULL)
    abort();
  for (int i = 0; i < ACCOUNTS; i++) {
    pthread_mutex_init(&bank->accounts[i].lock, NULL);
    bank->accounts[i].number = i;
    bank->accounts[i].balance = balance;
  }
  return bank;
}

static void bank_close(struct bank *bank) {
  for (int i = 0; i < ACCOUNTS; i++)
    pthread_mutex_destroy(&bank->accounts[i].lock);
  free(bank);
}

/* False where `from` has not that much. The accounts differ. */
static bool bank_transfer(struct account *from, struct account *to, int amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  const bool enough = from->balance >= amount;
  if (enough) {
    from->balance -= amount;
    to->balance += amount;
  }
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
  return enough;
}

static int account_balance(struct account *account) {
  pthread_mutex_lock(&account->lock);
  const int balance = account->balance;
  pthread_mutex_unlock(&account->lock);
  return balance;
}

struct order {
  struct account *from;
  struct account *to;
  int amount;
  bool done;
};

static void *clerk(void *argument) {
  struct order *order = argument;
  order->done = bank_transfer(order->from, order->to, order->amount);
  return NULL;
}

int main(void) {
  struct bank *bank = bank_open(10);
  struct account *a = &bank->accounts[0], *b = &bank->accounts[1];
  struct order orders[2] = {{a, b, 4, false}, {b, a, 6, false}};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, clerk, &orders[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(orders[0].done && orders[1].done);
  assert(account_balance(a) + account_balance(b) == 20);
  bank_close(bank);
  return 0;
}
