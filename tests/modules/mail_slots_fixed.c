// EXPECT: deadlock=verified (mail_slots as its reviewer wants it)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
int __VERIFIER_nondet_int(void);

#define SLOTS 1

struct box {
  pthread_mutex_t lock;
  sem_t room;
  sem_t filled;
  int letters[SLOTS];
  int head;
  int count;
};

static void box_init(struct box *box) {
  pthread_mutex_init(&box->lock, NULL);
  sem_init(&box->room, 0, SLOTS);
  sem_init(&box->filled, 0, 0);
  box->head = 0;
  box->count = 0;
}

static void slot_put(struct box *box, int letter) {
  sem_wait(&box->room);
  pthread_mutex_lock(&box->lock);
  box->letters[(box->head + box->count) % SLOTS] = letter;
  box->count++;
  pthread_mutex_unlock(&box->lock);
  sem_post(&box->filled);
}

static int slot_take(struct box *box) {
  int letter;
  sem_wait(&box->filled);
  pthread_mutex_lock(&box->lock);
  letter = box->letters[box->head];
  box->head = (box->head + 1) % SLOTS;
  box->count--;
  pthread_mutex_unlock(&box->lock);
  sem_post(&box->room);
  return letter;
}

static void *postman(void *arg) {
  struct box *box = arg;
  int first = __VERIFIER_nondet_int();
  slot_put(box, first);
  slot_put(box, first + 0);
  return NULL;
}

int main(void) {
  struct box box;
  pthread_t thread;
  int a, b;
  box_init(&box);
  if (pthread_create(&thread, NULL, postman, &box) != 0)
    return 0;
  a = slot_take(&box);
  b = slot_take(&box);
  pthread_join(thread, NULL);
  assert(a == b);
  assert(box.count == 0);
  return 0;
}
