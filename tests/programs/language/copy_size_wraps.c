// EXPECT: memory=violated twin=copy_size_wraps_fixed (strncpy of a size that has wrapped around writes that many bytes)
#include <pthread.h>
#include <string.h>

char name[16];
size_t room;

void *keep(void *unused) {
  (void)unused;
  strncpy(name, "worker", room - 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, keep, NULL);
  pthread_join(thread, NULL);
  return name[0] == 'w' ? 0 : 1;
}
