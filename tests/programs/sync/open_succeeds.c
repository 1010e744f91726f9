// EXPECT: assert=verified-within-bounds memory=verified-within-bounds race=verified-within-bounds option=--environment=ordinary (the log can always be opened, by assumption)
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
