// EXPECT: assert=verified volatile=verified race=verified memory=verified (a ring of one reader and one writer on atomic indices)
#include <pthread.h>
#include <assert.h>
#define SIZE 3
typedef struct { int q[SIZE]; _Atomic int reader, writer; } Ring;
void ring_init(Ring *r) { r->reader = r->writer = 0; }
void ring_enqueue(Ring *r, int x) {
  while ((r->writer + 1) % SIZE == r->reader) ;
  r->q[r->writer] = x;
  r->writer = (r->writer + 1) % SIZE;
}
int ring_empty(Ring *r) { return r->reader == r->writer; }
int ring_dequeue(Ring *r) { int x = r->q[r->reader]; r->reader = (r->reader + 1) % SIZE; return x; }
void *reader(void *arg) {
  int val = 0, i = 0, last = 0;
  Ring *r = (Ring *)arg;
  while (i < 3) {
    while (ring_empty(r)) ;
    val = ring_dequeue(r);
    assert(val == last + 1);
    last = val; ++i;
  }
  assert(last == 3);
  return NULL;
}
int main(void) {
  pthread_t r; Ring ring;
  ring_init(&ring);
  pthread_create(&r, NULL, reader, (void *)&ring);
  for (int i = 0; i < 3; i++) ring_enqueue(&ring, i + 1);
  pthread_join(r, NULL);
  assert(ring_empty(&ring));
  return 0;
}
