// EXPECT: assert=verified race=verified deadlock=verified (a question and its answer over a pair of sockets)
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *serve(void *unused) {
  char question;
  if (read(ends[1], &question, 1) == 1) {
    const char answer = (char)(question + 1);
    if (write(ends[1], &answer, 1) != 1) return NULL;
  }
  return unused;
}

int main(void) {
  pthread_t server;
  char answer = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  pthread_create(&server, NULL, serve, NULL);
  if (write(ends[0], "a", 1) == 1 && read(ends[0], &answer, 1) == 1) assert(answer == 'b');
  pthread_join(server, NULL);
  return 0;
}
