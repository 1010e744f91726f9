// EXPECT: memory=violated twin=move_overlapping (memcpy between overlapping parts)
#include <pthread.h>
#include <string.h>

static char line[16] = "abcdef";

static void *drop_first(void *unused) {
  memcpy(line, line + 1, 6);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, drop_first, 0);
  pthread_join(t, 0);
  return line[0] != 'b';
}
