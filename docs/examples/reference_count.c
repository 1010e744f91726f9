// EXPECT: assert=violated race=verified deadlock=verified
// Why: the last reference is dropped between the look at the count and the new reference
//
// A session that is closed when its last user lets go. One thread lets go while another looks the session up.
#include <assert.h>
#include <pthread.h>

struct session {
  pthread_mutex_t lock;
  int references;
  int open;
  int requests;
};

static struct session session = {PTHREAD_MUTEX_INITIALIZER, 1, 1, 0};

static int is_alive(struct session *s) {
  pthread_mutex_lock(&s->lock);
  int alive = s->references > 0;
  pthread_mutex_unlock(&s->lock);
  return alive;
}

static int acquire(struct session *s) {
  if (!is_alive(s)) return 0;
  pthread_mutex_lock(&s->lock);
  s->references++;
  pthread_mutex_unlock(&s->lock);
  return 1;
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
