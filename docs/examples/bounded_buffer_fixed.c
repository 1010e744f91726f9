// EXPECT: assert=verified race=verified deadlock=verified
// Why: the room is looked for under the lock that guards it
//
// The twin of bounded_buffer.c: put() tries again, a few times, and looks only while it holds the lock.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define CAPACITY 1
#define ATTEMPTS 2

static int slots[CAPACITY];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int put(int item) {
  int stored = 0;
  pthread_mutex_lock(&lock);
  if (count < CAPACITY) {
    assert(0 <= count && count < CAPACITY);
    slots[count] = item;
    count++;
    stored = 1;
  }
  pthread_mutex_unlock(&lock);
  return stored;
}

static int take(int *item) {
  int found = 0;
  pthread_mutex_lock(&lock);
  if (count > 0) {
    count--;
    *item = slots[count];
    found = 1;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

static void *producer(void *item) {
  for (int i = 0; i < ATTEMPTS; i++)
    if (put(*(int *)item)) break;
  return NULL;
}

static void *consumer(void *unused) {
  int item;
  for (int i = 0; i < ATTEMPTS; i++)
    if (take(&item)) printf("took %d\n", item);
  return unused;
}

int main(void) {
  int items[2] = {1, 2};
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, producer, &items[0]);
  pthread_create(&threads[1], NULL, producer, &items[1]);
  pthread_create(&threads[2], NULL, consumer, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
