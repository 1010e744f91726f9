// EXPECT: memory=violated race=violated twin=heartbeat_fixed (a monitor is freed while its thread may still beat)
// PATCH, written before the tool ran: in monitor_stop
//      monitor->running = false;
//      pthread_cond_signal(&monitor->wake);
//      pthread_mutex_unlock(&monitor->lock);
//   +  pthread_join(monitor->thread, NULL);
//      const int beats = monitor->beats;
//      pthread_cond_destroy(&monitor->wake);
//      pthread_mutex_destroy(&monitor->lock);
//   +  free(monitor);
//   -  const pthread_t thread = monitor->thread;
//   -  free(monitor);
//   -  pthread_join(thread, NULL);
//    (or only: the join moves to before the read of the beats)
// Review: "the thread still uses lock, wake and beats until it has ended: join it before you take them down."
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define MOST 2

/* Tells that its owner is alive, in a thread of its own. */
struct monitor {
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool running;
  int wanted;
  int beats;
  int *log;
  pthread_t thread;
};

/* With the lock held: whether there is nothing to be done. */
static bool monitor_idle(const struct monitor *monitor) {
  return monitor->running && monitor->wanted == 0;
}

/* Where the bytes would leave; the log says which beat it was. */
static void monitor_beat(struct monitor *monitor) {
  monitor->log[monitor->beats] = monitor->beats + 1;
  monitor->beats++;
}

static void *monitor_main(void *argument) {
  struct monitor *monitor = argument;
  pthread_mutex_lock(&monitor->lock);
  for (;;) {
    while (monitor_idle(monitor))
      pthread_cond_wait(&monitor->wake, &monitor->lock);
    if (monitor->wanted == 0)
      break;
    monitor->wanted--;
    if (monitor->beats < MOST)
      monitor_beat(monitor);
  }
  pthread_mutex_unlock(&monitor->lock);
  return NULL;
}

static struct monitor *monitor_start(void) {
  struct monitor *monitor = calloc(1, sizeof *monitor);
  if (monitor == NULL)
    abort();
  monitor->log = calloc(MOST, sizeof *monitor->log);
  if (monitor->log == NULL)
    abort();
  pthread_mutex_init(&monitor->lock, NULL);
  pthread_cond_init(&monitor->wake, NULL);
  monitor->running = true;
  pthread_create(&monitor->thread, NULL, monitor_main, monitor);
  return monitor;
}

/* Asks for one more beat. */
static void monitor_ask(struct monitor *monitor) {
  pthread_mutex_lock(&monitor->lock);
  monitor->wanted++;
  pthread_cond_signal(&monitor->wake);
  pthread_mutex_unlock(&monitor->lock);
}

/* Ends the thread, and returns how many beats there were. */
static int monitor_stop(struct monitor *monitor) {
  pthread_mutex_lock(&monitor->lock);
  monitor->running = false;
  pthread_cond_signal(&monitor->wake);
  pthread_mutex_unlock(&monitor->lock);
  const pthread_t thread = monitor->thread;
  const int beats = monitor->beats;
  free(monitor->log);
  pthread_cond_destroy(&monitor->wake);
  pthread_mutex_destroy(&monitor->lock);
  free(monitor);
  pthread_join(thread, NULL);
  return beats;
}

int main(void) {
  struct monitor *monitor = monitor_start();
  monitor_ask(monitor);
  const int beats = monitor_stop(monitor);
  assert(beats >= 0 && beats <= MOST);
  return 0;
}
