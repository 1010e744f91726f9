// EXPECT: race=violated twin=topic_broker_fixed (publishing walks over the subscribers without the lock)
// PATCH, written before the tool ran: in broker_publish
//      int reached = 0;
//   +  pthread_mutex_lock(&broker->lock);
//      for (struct subscriber *s = broker->first; s != NULL; s = s->next)
//        if (s->topic == topic) {
//          s->received++;
//          reached++;
//        }
//   +  pthread_mutex_unlock(&broker->lock);
//      return reached;
// Review: "the list changes under broker->lock: hold it while you walk over it."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct subscriber {
  int topic;
  int received;
  struct subscriber *next;
};

struct broker {
  pthread_mutex_t lock;
  struct subscriber *first;
};

static struct broker *broker_new(void) {
  struct broker *broker = malloc(sizeof *broker);
  if (broker == NULL)
    abort();
  pthread_mutex_init(&broker->lock, NULL);
  broker->first = NULL;
  return broker;
}

static void broker_subscribe(struct broker *broker, int topic) {
  struct subscriber *subscriber = malloc(sizeof *subscriber);
  if (subscriber == NULL)
    abort();
  subscriber->topic = topic;
  subscriber->received = 0;
  pthread_mutex_lock(&broker->lock);
  subscriber->next = broker->first;
  broker->first = subscriber;
  pthread_mutex_unlock(&broker->lock);
}

/* How many subscribers of the topic got it. */
static int broker_publish(struct broker *broker, int topic) {
  int reached = 0;
  for (struct subscriber *s = broker->first; s != NULL; s = s->next)
    if (s->topic == topic) {
      s->received++;
      reached++;
    }
  return reached;
}

static int broker_received(struct broker *broker) {
  int sum = 0;
  pthread_mutex_lock(&broker->lock);
  for (const struct subscriber *s = broker->first; s != NULL; s = s->next)
    sum += s->received;
  pthread_mutex_unlock(&broker->lock);
  return sum;
}

static void broker_free(struct broker *broker) {
  while (broker->first != NULL) {
    struct subscriber *next = broker->first->next;
    free(broker->first);
    broker->first = next;
  }
  pthread_mutex_destroy(&broker->lock);
  free(broker);
}

struct listener {
  struct broker *broker;
  int topic;
};

static void *listen_to(void *argument) {
  const struct listener *listener = argument;
  broker_subscribe(listener->broker, listener->topic);
  return NULL;
}

int main(void) {
  struct listener listener = {broker_new(), __VERIFIER_nondet_int()};
  __VERIFIER_assume(listener.topic >= 1 && listener.topic <= 2);
  pthread_t thread;
  broker_subscribe(listener.broker, 1);
  pthread_create(&thread, NULL, listen_to, &listener);
  const int reached = broker_publish(listener.broker, 1);
  pthread_join(thread, NULL);
  assert(reached == 1 || (reached == 2 && listener.topic == 1));
  assert(broker_received(listener.broker) == reached);
  broker_free(listener.broker);
  return 0;
}
