// EXPECT: assert=verified race=verified deadlock=violated memory=verified misuse=verified twin=mtx_trylock_released (with C11 threads)
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
  thrd_join(thread, 0);
  mtx_unlock(&lock);
  return 0;
}
