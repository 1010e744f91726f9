// EXPECT: deadlock=violated twin=double_lock_recursive (locks a normal mutex twice)
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }
