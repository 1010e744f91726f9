// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (asked and sold in one section)
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
struct office {
  pthread_mutex_t lock;
  int left, sold, refused;
  int price;
  int cash;
};
static struct office office = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0, 3, 0};
static int price_of(const struct office *o, int count) {
  return count > 1 ? count * o->price - 1 : count * o->price;
}
static int office_buy(struct office *o, int count) {
  int enough;
  pthread_mutex_lock(&o->lock);
  enough = o->left >= count;
  if (!enough) {
    o->refused++;
    pthread_mutex_unlock(&o->lock);
    return -1;
  }
  int due = price_of(o, count);
  o->left -= count;
  o->sold += count;
  o->cash += due;
  pthread_mutex_unlock(&o->lock);
  return due;
}
static int office_refund(struct office *o, int count, int paid) {
  pthread_mutex_lock(&o->lock);
  o->left += count;
  o->sold -= count;
  o->cash -= paid;
  pthread_mutex_unlock(&o->lock);
  return 0;
}
static int wants[2];
static void *buyer(void *arg) {
  int count = wants[(long)arg];
  int paid = office_buy(&office, count);
  if (paid >= 0 && count == 2) office_refund(&office, count, paid);
  return 0;
}
int main(void) {
  pthread_t t[2];
  int begin = __VERIFIER_nondet_int();
  __VERIFIER_assume(begin >= 0 && begin <= 3);
  office.left = begin;
  for (int i = 0; i < 2; i++) {
    wants[i] = __VERIFIER_nondet_int();
    __VERIFIER_assume(wants[i] == 1 || wants[i] == 2);
  }
  int n = 0;
  for (long i = 0; i < 2; i++)
    if (!pthread_create(&t[n], 0, buyer, (void *)i)) n++;
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  assert(office.left >= 0);
  assert(office.left + office.sold == begin);
  return 0;
}
