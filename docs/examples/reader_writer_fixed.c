// EXPECT: assert=verified race=verified deadlock=verified
// Why: looking at the readers and claiming the numbers are one step
//
// The twin of reader_writer.c: begin_write() looks and claims without giving up the mutex in between.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int readers;
static int writing;
static int hits, misses;  // always equal, except while the writer is at work

static int begin_read(void) {
  pthread_mutex_lock(&lock);
  int allowed = !writing;
  if (allowed) readers++;
  pthread_mutex_unlock(&lock);
  return allowed;
}

static void end_read(void) {
  pthread_mutex_lock(&lock);
  readers--;
  pthread_mutex_unlock(&lock);
}

static int begin_write(void) {
  pthread_mutex_lock(&lock);
  int allowed = readers == 0;
  if (allowed) writing = 1;
  pthread_mutex_unlock(&lock);
  return allowed;
}

static void end_write(void) {
  pthread_mutex_lock(&lock);
  writing = 0;
  pthread_mutex_unlock(&lock);
}

static void *reader(void *unused) {
  if (!begin_read()) return unused;
  assert(hits == misses);
  end_read();
  return unused;
}

static void *writer(void *unused) {
  if (!begin_write()) return unused;
  hits++;
  misses++;
  end_write();
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, reader, NULL);
  pthread_create(&second, NULL, writer, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
