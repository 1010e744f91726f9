// EXPECT: memory=verified twin=copy_size_wraps (as many bytes as there are)
#include <pthread.h>
#include <string.h>

char name[16];
size_t room = sizeof name;

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
