// EXPECT: assert=verified race=verified deadlock=verified memory=verified misuse=verified (released before the join)
#include <threads.h>

static mtx_t lock;

static int poll(void *unused) {
  while (mtx_trylock(&lock) != thrd_success) {
  }
  mtx_unlock(&lock);
  return unused != 0;
}

int main(void) {
  thrd_t thread;
  mtx_init(&lock, mtx_plain);
  mtx_lock(&lock);
  thrd_create(&thread, poll, 0);
  mtx_unlock(&lock);
  thrd_join(thread, 0);
  return 0;
}
