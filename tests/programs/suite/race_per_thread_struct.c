// EXPECT: race=violated twin=race_per_thread_struct_own (one struct for all)
#include <stdlib.h>
#include <pthread.h>
struct thread_data { pthread_t tid; int data; } ds[3];
void *thread(void *arg) { struct thread_data *t = arg; t->data = 1; ds[0].data++; return NULL; }
int main() {
  for (int i = 0; i < 3; i++) pthread_create(&ds[i].tid, NULL, &thread, &ds[i]);
  for (int i = 0; i < 3; i++) pthread_join(ds[i].tid, NULL);
  return 0;
}
