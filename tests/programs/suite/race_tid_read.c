// EXPECT: race=violated twin=race_tid_self (the thread may read the handle before pthread_create has stored it)
#include <pthread.h>
pthread_t tid;
void *thread(void *arg) { if (pthread_equal(tid, pthread_self())) return arg; return NULL; }
int main() { pthread_create(&tid, NULL, &thread, NULL); pthread_join(tid, NULL); return 0; }
