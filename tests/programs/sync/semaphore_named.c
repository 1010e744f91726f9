// EXPECT: assert=verified-within-bounds race=verified-within-bounds deadlock=verified-within-bounds (a named semaphore orders)
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t *posted;
static int value;

static void *writer(void *unused) {
  (void)unused;
  value = 1;
  sem_post(posted);
  return NULL;
}

int main(void) {
  posted = sem_open("/posted", O_CREAT, 0600, 0);
  assert(posted != SEM_FAILED);
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  sem_wait(posted);
  assert(value == 1);
  pthread_join(thread, NULL);
  sem_close(posted);
  sem_unlink("/posted");
  return 0;
}
