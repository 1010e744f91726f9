// EXPECT: assert=violated deadlock=verified twin=double_lock_check_one (lock state asserted)
#include <pthread.h>
#include <assert.h>
int count; 
pthread_mutex_t mutexa = PTHREAD_MUTEX_INITIALIZER, mutexb = PTHREAD_MUTEX_INITIALIZER;
void my_thread1() {
  pthread_mutex_lock(&mutexa); count++; count--; pthread_mutex_unlock(&mutexa);
  pthread_mutex_lock(&mutexb); count--; count++; pthread_mutex_unlock(&mutexb);
}
void *thr1(void *arg) { (void)arg;
  my_thread1();
  return 0;
}
void *thr2(void *arg) { (void)arg;
  pthread_mutex_lock(&mutexa);
  pthread_mutex_lock(&mutexb);
  assert(count >= -1);
  pthread_mutex_unlock(&mutexb);
  pthread_mutex_unlock(&mutexa);
  return 0;
}
int main() {
  pthread_t t1, t2, t3;
  pthread_create(&t1, 0, thr1, 0); pthread_create(&t2, 0, thr2, 0); pthread_create(&t3, 0, thr1, 0);
  pthread_join(t1, 0); pthread_join(t2, 0); pthread_join(t3, 0);
  return 0;
}
