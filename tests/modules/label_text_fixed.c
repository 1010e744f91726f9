// EXPECT: race=verified assert=verified (label_text as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct item {
  int kind;
  int number;
};

static const char *const kinds[] = {"disk", "net"};

/* "disk3": the name under which an item is logged. */
static const char *label_of(const struct item *item) {
  static _Thread_local char text[8];
  size_t length = strlen(kinds[item->kind]);
  memcpy(text, kinds[item->kind], length);
  text[length] = (char)('0' + item->number % 10);
  text[length + 1] = '\0';
  return text;
}

static int is_labelled(const struct item *item, const char *wanted) {
  return strcmp(label_of(item), wanted) == 0;
}

static void *check(void *arg) {
  const struct item *item = arg;
  assert(is_labelled(item, "net1"));
  return NULL;
}

int main(void) {
  struct item disk = {0, 3}, net = {1, 1};
  pthread_t thread;
  if (pthread_create(&thread, NULL, check, &net) != 0)
    return 0;
  assert(is_labelled(&disk, "disk3"));
  pthread_join(thread, NULL);
  return 0;
}
