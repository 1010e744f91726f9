// EXPECT: assert=violated twin=peer_close_fixed (whether the peer is open is asked in one section and acted on in another)
// PATCH, written before the tool ran: in peer_close
//      int open = peer->open;
//   -  pthread_mutex_unlock(&peer->lock);
//   -  if (!open)
//   +  if (!open) {
//   +    pthread_mutex_unlock(&peer->lock);
//        return;
//   -  pthread_mutex_lock(&peer->lock);
//   +  }
//      free(peer->buffer);
// Review: "two closers both see it open: ask and close under one hold of peer->lock."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct peer {
  pthread_mutex_t lock;
  int open;
  char *buffer;
  int closes;
};

static int peer_open(struct peer *peer) {
  pthread_mutex_init(&peer->lock, NULL);
  peer->closes = 0;
  peer->buffer = malloc(16);
  peer->open = peer->buffer != NULL;
  return peer->open;
}

static int peer_send(struct peer *peer, const char *text) {
  int sent = -1;
  pthread_mutex_lock(&peer->lock);
  if (peer->open) {
    strncpy(peer->buffer, text, 15);
    sent = 0;
  }
  pthread_mutex_unlock(&peer->lock);
  return sent;
}

/* May be called by both sides; the first one closes. */
static void peer_close(struct peer *peer) {
  pthread_mutex_lock(&peer->lock);
  int open = peer->open;
  pthread_mutex_unlock(&peer->lock);
  if (!open)
    return;
  pthread_mutex_lock(&peer->lock);
  free(peer->buffer);
  peer->buffer = NULL;
  peer->open = 0;
  peer->closes++;
  pthread_mutex_unlock(&peer->lock);
}

static void *timeout_main(void *arg) {
  peer_close(arg);
  return NULL;
}

int main(void) {
  struct peer peer;
  pthread_t thread;
  if (!peer_open(&peer))
    return 0;
  if (pthread_create(&thread, NULL, timeout_main, &peer) != 0)
    return 0;
  peer_send(&peer, "bye");
  peer_close(&peer);
  pthread_join(thread, NULL);
  assert(peer.closes == 1);
  assert(peer_send(&peer, "late") == -1);
  return 0;
}
