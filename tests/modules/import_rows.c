// EXPECT: deadlock=violated twin=import_rows_fixed (the way out of a bad row keeps the lock)
// PATCH, written before the tool ran: in table_import
//        t->errors++;
//   +    pthread_mutex_unlock(&t->lock);
//        goto done;
// Review: "the goto out of the loop skips the unlock."
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

#define ROWS 3

struct table {
  pthread_mutex_t lock;
  int rows[ROWS];
  int count;
  int errors;
};

static struct table table = {PTHREAD_MUTEX_INITIALIZER, {0}, 0, 0};

static int row_check(int row) {
  return row >= 0 ? 0 : -1;
}

static int table_import(struct table *t, const int *rows, int count) {
  int status = -1;
  if (count > ROWS)
    goto done;
  pthread_mutex_lock(&t->lock);
  for (int i = 0; i < count; i++) {
    if (t->count == ROWS)
      break;
    if (row_check(rows[i]) != 0) {
      t->errors++;
      goto done;
    }
    t->rows[t->count++] = rows[i];
  }
  status = 0;
  pthread_mutex_unlock(&t->lock);
done:
  return status;
}

static int table_sum(struct table *t) {
  int sum = 0;
  pthread_mutex_lock(&t->lock);
  for (int i = 0; i < t->count; i++)
    sum += t->rows[i];
  pthread_mutex_unlock(&t->lock);
  return sum;
}

static void *importer(void *arg) {
  table_import(&table, arg, 2);
  return NULL;
}

int main(void) {
  pthread_t thread;
  int rows[2] = {4, 0}, more[1] = {1};
  rows[1] = __VERIFIER_nondet_int();
  __VERIFIER_assume(rows[1] >= -5 && rows[1] <= 5);
  if (pthread_create(&thread, NULL, importer, rows) != 0)
    return 0;
  table_import(&table, more, 1);
  pthread_join(thread, NULL);
  int sum = table_sum(&table);
  assert(sum == 5 + (rows[1] > 0 ? rows[1] : 0));
  return 0;
}
