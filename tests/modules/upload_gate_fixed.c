// EXPECT: deadlock=verified (upload_gate as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

/* Lets so many uploads run at once, and counts what they bring. */
struct gate {
  sem_t places;
  pthread_mutex_t lock;
  int largest;
  int bytes;
  int uploads;
};

static struct gate *gate_open(unsigned places, int largest) {
  struct gate *gate = malloc(sizeof *gate);
  if (gate == NULL)
    abort();
  sem_init(&gate->places, 0, places);
  pthread_mutex_init(&gate->lock, NULL);
  gate->largest = largest;
  gate->bytes = 0;
  gate->uploads = 0;
  return gate;
}

static void gate_count(struct gate *gate, int size) {
  pthread_mutex_lock(&gate->lock);
  gate->bytes += size;
  gate->uploads++;
  pthread_mutex_unlock(&gate->lock);
}

/* 0, or -1 where it is too large. */
static int gate_upload(struct gate *gate, int size) {
  sem_wait(&gate->places);
  if (size > gate->largest) {
    sem_post(&gate->places);
    return -1;
  }
  gate_count(gate, size);
  sem_post(&gate->places);
  return 0;
}

static void gate_close(struct gate *gate) {
  pthread_mutex_destroy(&gate->lock);
  sem_destroy(&gate->places);
  free(gate);
}

struct upload {
  struct gate *gate;
  int size;
  int result;
};

static void *upload_main(void *argument) {
  struct upload *upload = argument;
  upload->result = gate_upload(upload->gate, upload->size);
  return NULL;
}

int main(void) {
  const int size = __VERIFIER_nondet_int();
  __VERIFIER_assume(size >= 1 && size <= 100);
  struct gate *gate = gate_open(1, 64);
  struct upload uploads[2] = {{gate, size, 0}, {gate, 8, 0}};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, upload_main, &uploads[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(uploads[1].result == 0);
  assert((uploads[0].result == 0) == (size <= 64));
  assert(gate->bytes == (size <= 64 ? size : 0) + 8);
  gate_close(gate);
  return 0;
}
