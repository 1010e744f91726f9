// EXPECT: assert=verified (quota_meter as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

#define TENANTS 2

struct tenant {
  char name[8];
  int used;
  int refused;
};

struct quota {
  pthread_mutex_t lock;
  int limit;
  struct tenant tenants[TENANTS];
};

static struct quota quota = {PTHREAD_MUTEX_INITIALIZER, 10, {{"alpha", 0, 0}, {"beta", 0, 0}}};

static struct tenant *quota_find(const char *name) {
  for (int i = 0; i < TENANTS; i++)
    if (strcmp(quota.tenants[i].name, name) == 0)
      return &quota.tenants[i];
  return NULL;
}

static bool quota_charge(const char *name, int bytes) {
  struct tenant *tenant = quota_find(name);
  if (tenant == NULL)
    return false;
  pthread_mutex_lock(&quota.lock);
  if (tenant->used + bytes > quota.limit) {
    tenant->refused++;
    pthread_mutex_unlock(&quota.lock);
    return false;
  }
  tenant->used += bytes;
  pthread_mutex_unlock(&quota.lock);
  return true;
}

struct upload {
  const char *name;
  int bytes;
  bool taken;
};

static void *upload_main(void *arg) {
  struct upload *upload = arg;
  upload->taken = quota_charge(upload->name, upload->bytes);
  return NULL;
}

int main(void) {
  struct upload mine = {"alpha", 6, false}, other = {"alpha", 0, false};
  pthread_t thread;
  other.bytes = __VERIFIER_nondet_int();
  __VERIFIER_assume(other.bytes > 0 && other.bytes <= 8);
  if (pthread_create(&thread, NULL, upload_main, &other) != 0)
    return 0;
  upload_main(&mine);
  pthread_join(thread, NULL);
  for (int i = 0; i < TENANTS; i++)
    assert(quota.tenants[i].used <= quota.limit);
  assert(mine.taken || other.taken);
  return 0;
}
