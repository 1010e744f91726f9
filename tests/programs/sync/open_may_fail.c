// EXPECT: assert=violated twin=open_succeeds (nobody looks whether the log could be opened)
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

int log_file = -1;

void *note(void *unused) {
  assert(log_file >= 0);
  return unused;
}

int main(void) {
  pthread_t writer;
  log_file = open("log", O_RDONLY);
  pthread_create(&writer, 0, note, 0);
  pthread_join(writer, 0);
  return 0;
}
