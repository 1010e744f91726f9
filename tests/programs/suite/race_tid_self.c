// EXPECT: race=verified twin=race_tid_read (the thread asks for its own handle)
#include <pthread.h>
pthread_t tid;
void *thread(void *arg) { if (pthread_equal(pthread_self(), pthread_self())) return arg; return NULL; }
int main() { pthread_create(&tid, NULL, &thread, NULL); pthread_join(tid, NULL); return 0; }
