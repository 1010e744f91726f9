// EXPECT: deadlock=violated race=violated twin=config_watch_fixed (the version is changed without the lock that its watcher holds)
// PATCH, written before the tool ran: in watch_publish
//   +  pthread_mutex_lock(&watch->lock);
//      watch->version++;
//      pthread_cond_broadcast(&watch->changed);
//   +  pthread_mutex_unlock(&watch->lock);
// Review: "between test and wait the watcher misses the broadcast: change the version under the lock."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct watch {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int version;
  int value;
};

static struct watch *watch_new(int value) {
  struct watch *watch = malloc(sizeof *watch);
  if (watch == NULL)
    abort();
  pthread_mutex_init(&watch->lock, NULL);
  pthread_cond_init(&watch->changed, NULL);
  watch->version = 0;
  watch->value = value;
  return watch;
}

/* Before it is published only its writer looks at it. */
static void watch_set(struct watch *watch, int value) {
  pthread_mutex_lock(&watch->lock);
  watch->value = value;
  pthread_mutex_unlock(&watch->lock);
}

static void watch_publish(struct watch *watch) {
  watch->version++;
  pthread_cond_broadcast(&watch->changed);
}

/* Waits until there is a newer version than the one that the caller knows, and returns its value. */
static int watch_wait(struct watch *watch, int known) {
  pthread_mutex_lock(&watch->lock);
  while (watch->version <= known)
    pthread_cond_wait(&watch->changed, &watch->lock);
  const int value = watch->value;
  pthread_mutex_unlock(&watch->lock);
  return value;
}

static void watch_free(struct watch *watch) {
  pthread_cond_destroy(&watch->changed);
  pthread_mutex_destroy(&watch->lock);
  free(watch);
}

struct editor {
  struct watch *watch;
  int value;
};

static void *editor_main(void *argument) {
  const struct editor *editor = argument;
  watch_set(editor->watch, editor->value);
  watch_publish(editor->watch);
  return NULL;
}

int main(void) {
  struct editor editor = {watch_new(0), __VERIFIER_nondet_int()};
  __VERIFIER_assume(editor.value >= 1 && editor.value <= 9);
  pthread_t thread;
  pthread_create(&thread, NULL, editor_main, &editor);
  const int value = watch_wait(editor.watch, 0);
  pthread_join(thread, NULL);
  assert(value == editor.value);
  watch_free(editor.watch);
  return 0;
}
