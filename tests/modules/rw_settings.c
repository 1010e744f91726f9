// EXPECT: deadlock=violated twin=rw_settings_fixed (a refused name leaves the read-write lock locked)
// PATCH, written before the tool ran: in settings_set
//   -  if (at < 0)
//   +  if (at < 0) {
//   +    pthread_rwlock_unlock(&settings->lock);
//        return -1;
//   +  }
// Review: "the early return keeps the write lock: unlock on every way out."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define KEYS 2
#define NOTHING (-1)

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct setting {
  int key;
  int value;
};

struct settings {
  pthread_rwlock_t lock;
  struct setting list[KEYS];
  int changes;
};

static struct settings *settings_new(void) {
  struct settings *settings = malloc(sizeof *settings);
  if (settings == NULL)
    abort();
  pthread_rwlock_init(&settings->lock, NULL);
  for (int i = 0; i < KEYS; i++) {
    settings->list[i].key = i;
    settings->list[i].value = 0;
  }
  settings->changes = 0;
  return settings;
}

static int settings_index(const struct settings *settings, int key) {
  for (int i = 0; i < KEYS; i++)
    if (settings->list[i].key == key)
      return i;
  return NOTHING;
}

static int settings_get(struct settings *settings, int key) {
  pthread_rwlock_rdlock(&settings->lock);
  const int at = settings_index(settings, key);
  const int value = at < 0 ? NOTHING : settings->list[at].value;
  pthread_rwlock_unlock(&settings->lock);
  return value;
}

/* 0, or -1 where no setting has the key. */
static int settings_set(struct settings *settings, int key, int value) {
  pthread_rwlock_wrlock(&settings->lock);
  const int at = settings_index(settings, key);
  if (at < 0)
    return -1;
  settings->list[at].value = value;
  settings->changes++;
  pthread_rwlock_unlock(&settings->lock);
  return 0;
}

static void settings_free(struct settings *settings) {
  pthread_rwlock_destroy(&settings->lock);
  free(settings);
}

struct admin {
  struct settings *settings;
  int key;
  int refused;
};

static void *admin_main(void *argument) {
  struct admin *admin = argument;
  admin->refused = settings_set(admin->settings, admin->key, 7);
  return NULL;
}

int main(void) {
  struct admin admin = {settings_new(), __VERIFIER_nondet_int(), 0};
  __VERIFIER_assume(admin.key >= 0 && admin.key <= KEYS);
  pthread_t thread;
  pthread_create(&thread, NULL, admin_main, &admin);
  const int seen = settings_get(admin.settings, 0);
  pthread_join(thread, NULL);
  assert(seen == 0 || seen == 7);
  assert(admin.refused == 0 || admin.key == KEYS);
  settings_free(admin.settings);
  return 0;
}
