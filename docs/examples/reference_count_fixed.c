// EXPECT: assert=verified race=verified deadlock=verified
// Why: looking at the count and taking a reference are one step
//
// The twin of reference_count.c: acquire() counts only what is still alive, under one lock.
#include <assert.h>
#include <pthread.h>

struct session {
  pthread_mutex_t lock;
  int references;
  int open;
  int requests;
};

static struct session session = {PTHREAD_MUTEX_INITIALIZER, 1, 1, 0};

static int acquire(struct session *s) {
  pthread_mutex_lock(&s->lock);
  int alive = s->references > 0;
  if (alive) s->references++;
  pthread_mutex_unlock(&s->lock);
  return alive;
}

static void release(struct session *s) {
  pthread_mutex_lock(&s->lock);
  s->references--;
  if (s->references == 0) s->open = 0;
  pthread_mutex_unlock(&s->lock);
}

static void *owner(void *unused) {
  release(&session);
  return unused;
}

static void *visitor(void *unused) {
  if (acquire(&session)) {
    assert(session.open);  // a held reference keeps it open
    session.requests++;
    release(&session);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, owner, NULL);
  pthread_create(&second, NULL, visitor, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
