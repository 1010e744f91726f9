// EXPECT: assert=violated race=verified deadlock=verified
// Why: both transfers see enough money before either takes it
//
// Two transfers leave the same account. Every access to a balance holds the lock of the account, and still money can be
// spent that is not there. Only some amounts show it: 100 are in the account.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#include "heddle.h"

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account checking = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 0};

static int balance_of(struct account *account) {
  pthread_mutex_lock(&account->lock);
  int balance = account->balance;
  pthread_mutex_unlock(&account->lock);
  return balance;
}

static void deposit(struct account *account, int amount) {
  pthread_mutex_lock(&account->lock);
  account->balance += amount;
  pthread_mutex_unlock(&account->lock);
}

static void *transfer(void *argument) {
  int amount = *(int *)argument;
  if (balance_of(&checking) >= amount) {
    deposit(&checking, -amount);  // the balance may have changed since it was looked at
    deposit(&savings, amount);
  }
  return NULL;
}

int main(void) {
  int rent = heddle_input_int();
  int bill = heddle_input_int();
  heddle_assume(0 < rent && rent <= 100);
  heddle_assume(0 < bill && bill <= 100);
  pthread_t first, second;
  pthread_create(&first, NULL, transfer, &rent);
  pthread_create(&second, NULL, transfer, &bill);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("checking %d, savings %d\n", checking.balance, savings.balance);
  assert(checking.balance >= 0);
  return 0;
}
