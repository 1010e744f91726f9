// EXPECT: deadlock=violated race=violated twin=async_logger_fixed (the flag is set without the lock)
// PATCH, written before the tool ran: in logger_close
//   +  pthread_mutex_lock(&log->lock);
//      log->closing = true;
//      pthread_cond_signal(&log->ready);
//   +  pthread_mutex_unlock(&log->lock);
// Review: "the writer may have seen closing == false and not wait yet: then the signal is lost. Set it under
// log->lock."
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LINES 2
#define WIDTH 8

struct logger {
  pthread_mutex_t lock;
  pthread_cond_t ready;
  char lines[LINES][WIDTH];
  int begin;
  int pending;
  bool closing;
  int written;
  pthread_t writer;
};

static void logger_write_out(struct logger *log, const char *line) {
  if (line[0] != '\0')
    log->written++;
}

static void *logger_main(void *argument) {
  struct logger *log = argument;
  for (;;) {
    char line[WIDTH];
    pthread_mutex_lock(&log->lock);
    while (log->pending == 0 && !log->closing)
      pthread_cond_wait(&log->ready, &log->lock);
    if (log->pending == 0) {
      pthread_mutex_unlock(&log->lock);
      return NULL;
    }
    memcpy(line, log->lines[log->begin], WIDTH);
    log->begin = (log->begin + 1) % LINES;
    log->pending--;
    pthread_mutex_unlock(&log->lock);
    logger_write_out(log, line);
  }
}

static struct logger *logger_open(void) {
  struct logger *log = calloc(1, sizeof *log);
  if (log == NULL)
    abort();
  pthread_mutex_init(&log->lock, NULL);
  pthread_cond_init(&log->ready, NULL);
  pthread_create(&log->writer, NULL, logger_main, log);
  return log;
}

static int logger_add(struct logger *log, char letter) {
  int result = -1;
  pthread_mutex_lock(&log->lock);
  if (log->pending < LINES) {
    char *line = log->lines[(log->begin + log->pending) % LINES];
    line[0] = letter;
    line[1] = '\0';
    log->pending++;
    pthread_cond_signal(&log->ready);
    result = 0;
  }
  pthread_mutex_unlock(&log->lock);
  return result;
}

static int logger_close(struct logger *log) {
  log->closing = true;
  pthread_cond_signal(&log->ready);
  pthread_join(log->writer, NULL);
  const int written = log->written;
  pthread_cond_destroy(&log->ready);
  pthread_mutex_destroy(&log->lock);
  free(log);
  return written;
}

int main(void) {
  struct logger *log = logger_open();
  const int failed = logger_add(log, 'a');
  assert(failed == 0);
  const int written = logger_close(log);
  assert(written == 1);
  return 0;
}
