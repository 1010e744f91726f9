// EXPECT: race=verified (lazy_registry as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 4

struct registry {
  const char *names[NAMES];
  int count;
};

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static struct registry *_Atomic shared;

static struct registry *registry_new(void) {
  struct registry *made = calloc(1, sizeof *made);
  if (made == NULL)
    abort();
  made->names[0] = "none";
  made->names[1] = "low";
  made->names[2] = "high";
  made->count = 3;
  return made;
}

/* The one registry of the process, made when it is first asked for. */
static struct registry *registry_get(void) {
  if (shared == NULL) {
    pthread_mutex_lock(&registry_lock);
    if (shared == NULL)
      shared = registry_new();
    pthread_mutex_unlock(&registry_lock);
  }
  return shared;
}

static int registry_find(const char *name) {
  const struct registry *registry = registry_get();
  for (int i = 0; i < registry->count; i++)
    if (strcmp(registry->names[i], name) == 0)
      return i;
  return -1;
}

static const char *registry_name(int number) {
  const struct registry *registry = registry_get();
  return number >= 0 && number < registry->count ? registry->names[number] : NULL;
}

/* At the end of the process, when no thread is left. */
static void registry_drop(void) {
  free(shared);
  shared = NULL;
}

struct question {
  const char *name;
  int number;
};

static void *ask(void *argument) {
  struct question *question = argument;
  question->number = registry_find(question->name);
  return NULL;
}

int main(void) {
  struct question question = {"low", -1};
  pthread_t thread;
  pthread_create(&thread, NULL, ask, &question);
  const char *name = registry_name(2);
  pthread_join(thread, NULL);
  assert(name != NULL && name[0] == 'h');
  assert(question.number == 1);
  registry_drop();
  return 0;
}
