// apache-b (con2colic set), a small model of the published bug in the FTP server: one thread serves requests of a
// connection while another closes it after a time-out; the server looks whether the connection is there, and then uses it.
//
// Bug: the connection is gone between the look and the use. The kinds of the requests are inputs.
//
// Paper: con2colic 43 runs, 3.2 s; MPC 22 paths, 1.6 s.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef REQUESTS
#define REQUESTS 2
#endif

int heddle_input_int(void);

struct connection {
  int sent;
};

static struct connection *connection;
static int timedOut;

static void *serve(void *unused) {
  for (int k = 0; k < REQUESTS; k++) {
    int kind = heddle_input_int();
    if (kind == 0) break;
    if (connection != NULL) {
      struct connection *used = connection;
      assert(used != NULL);
      used->sent++;
      if (kind == 1) timedOut = 0;
    }
  }
  return unused;
}

static void *watch(void *unused) {
  int idle = heddle_input_int();
  if (idle > 10) {
    timedOut = 1;
    connection = NULL;
  }
  return unused;
}

int main(void) {
  pthread_t server, watcher;
  connection = malloc(sizeof *connection);
  connection->sent = 0;
  pthread_create(&server, NULL, serve, NULL);
  pthread_create(&watcher, NULL, watch, NULL);
  pthread_join(server, NULL);
  pthread_join(watcher, NULL);
  return 0;
}
