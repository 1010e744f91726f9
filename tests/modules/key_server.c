// EXPECT: memory=violated twin=key_server_fixed (the signal comes after the unlock that lets the caller return)
// PATCH: in server
//   -  pthread_mutex_unlock(&lock);
//   -  pthread_cond_signal(&r->answered);
//   +  pthread_cond_signal(&r->answered);
//   +  pthread_mutex_unlock(&lock);
// Review: "once `done` is seen the request is gone with its caller's frame: signal while the lock still keeps the caller there."
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
enum op { GET, SET, DEL, QUIT };
struct request {
  enum op op;
  int key, value;
  int done, found;
  pthread_cond_t answered;
  struct request* next;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static struct request *first, *last;
struct node {
  int key, value;
  struct node* next;
};
static struct node* table[2];
static int sets, dels;
static struct node** slot(int key) {
  struct node** at = &table[key & 1];
  while (*at && (*at)->key != key) at = &(*at)->next;
  return at;
}
static void serve_one(struct request* r) {
  struct node** at = slot(r->key);
  switch (r->op) {
    case GET:
      r->found = *at != 0;
      if (*at) r->value = (*at)->value;
      break;
    case SET:
      if (!*at) {
        *at = calloc(1, sizeof **at);
        if (!*at) {
          r->found = 0;
          break;
        }
        (*at)->key = r->key;
      }
      (*at)->value = r->value;
      r->found = 1;
      sets++;
      break;
    case DEL:
      r->found = *at != 0;
      if (*at) {
        struct node* n = *at;
        *at = n->next;
        free(n);
        dels++;
      }
      break;
    case QUIT:
      break;
  }
}
static void* server(void* unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!first) pthread_cond_wait(&arrived, &lock);
    struct request* r = first;
    first = r->next;
    if (!first) last = 0;
    pthread_mutex_unlock(&lock);
    enum op op = r->op;
    serve_one(r);
    pthread_mutex_lock(&lock);
    r->done = 1;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&r->answered);
    if (op == QUIT) return unused;
  }
}
static int call(enum op op, int key, int* value) {
  struct request r = {.op = op, .key = key, .value = value ? *value : 0};
  pthread_cond_init(&r.answered, 0);
  pthread_mutex_lock(&lock);
  if (last)
    last->next = &r;
  else
    first = &r;
  last = &r;
  pthread_cond_signal(&arrived);
  while (!r.done) pthread_cond_wait(&r.answered, &lock);
  pthread_mutex_unlock(&lock);
  pthread_cond_destroy(&r.answered);
  if (value) *value = r.value;
  return r.found;
}
static int choice[2];
static void* client(void* arg) {
  int key = (int)(long)arg, value = key + 5;
  int set = call(SET, key, &value);
  if (choice[key]) {
    if (call(DEL, key, 0)) assert(set);
  } else {
    value = 0;
    if (call(GET, key, &value)) assert(value == key + 5);
  }
  return 0;
}
int main(void) {
  pthread_t s, c[2];
  for (int i = 0; i < 2; i++) {
    choice[i] = __VERIFIER_nondet_int();
    __VERIFIER_assume(choice[i] == 0 || choice[i] == 1);
  }
  if (pthread_create(&s, 0, server, 0)) return 1;
  int n = 0;
  for (long i = 0; i < 2; i++)
    if (!pthread_create(&c[n], 0, client, (void*)i)) n++;
  for (int i = 0; i < n; i++) pthread_join(c[i], 0);
  call(QUIT, 0, 0);
  pthread_join(s, 0);
  int left = 0;
  for (int b = 0; b < 2; b++)
    while (table[b]) {
      struct node* x = table[b];
      table[b] = x->next;
      free(x);
      left++;
    }
  assert(left == sets - dels);
  return 0;
}
