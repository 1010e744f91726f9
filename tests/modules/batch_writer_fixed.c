// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (flush waits for the write under way too)
#include <assert.h>
#include <pthread.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
enum { ROOM = 4 };
struct writer {
  pthread_mutex_t lock;
  pthread_cond_t more, idle;
  int batch[ROOM];
  int filled;
  int writing;
  int closing;
};
static struct writer w = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0, 0};
static pthread_mutex_t disk_lock = PTHREAD_MUTEX_INITIALIZER;
static int disk[8], on_disk;
static void disk_write(const int *items, int n) {
  pthread_mutex_lock(&disk_lock);
  for (int i = 0; i < n; i++) disk[on_disk++] = items[i];
  pthread_mutex_unlock(&disk_lock);
}
static int disk_count(void) {
  pthread_mutex_lock(&disk_lock);
  int n = on_disk;
  pthread_mutex_unlock(&disk_lock);
  return n;
}
static void *writer_main(void *arg) {
  struct writer *self = arg;
  int mine[ROOM];
  pthread_mutex_lock(&self->lock);
  for (;;) {
    while (self->filled == 0 && !self->closing) pthread_cond_wait(&self->more, &self->lock);
    if (self->filled == 0) break;
    int n = self->filled;
    memcpy(mine, self->batch, sizeof mine);
    self->filled = 0;
    self->writing++;
    pthread_mutex_unlock(&self->lock);
    disk_write(mine, n);
    pthread_mutex_lock(&self->lock);
    self->writing--;
    pthread_cond_broadcast(&self->idle);
  }
  pthread_mutex_unlock(&self->lock);
  return 0;
}
static int writer_put(struct writer *self, int item) {
  pthread_mutex_lock(&self->lock);
  if (self->filled == ROOM) {
    pthread_mutex_unlock(&self->lock);
    return -1;
  }
  self->batch[self->filled++] = item;
  pthread_cond_signal(&self->more);
  pthread_mutex_unlock(&self->lock);
  return 0;
}
static void writer_flush(struct writer *self) {
  pthread_mutex_lock(&self->lock);
  while (self->filled > 0 || self->writing)
    pthread_cond_wait(&self->idle, &self->lock);
  pthread_mutex_unlock(&self->lock);
}
static void writer_close(struct writer *self, pthread_t t) {
  pthread_mutex_lock(&self->lock);
  self->closing = 1;
  pthread_cond_signal(&self->more);
  pthread_mutex_unlock(&self->lock);
  pthread_join(t, 0);
}
int main(void) {
  pthread_t t;
  int n = __VERIFIER_nondet_int(), put = 0;
  __VERIFIER_assume(n >= 0 && n <= 3);
  if (pthread_create(&t, 0, writer_main, &w)) return 1;
  for (int i = 0; i < n; i++)
    if (writer_put(&w, i) == 0) put++;
  writer_flush(&w);
  assert(disk_count() == put);
  writer_close(&w, t);
  return 0;
}
