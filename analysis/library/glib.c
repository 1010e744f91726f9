// GLib: asynchronous queues, thread pools, once, thread-private data, memory. Locks, conditions and threads are
// the interpreter's own.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void heddle_assumption(const char *text);

typedef void *gpointer;
typedef int gboolean;
typedef void (*GDestroyNotify)(gpointer data);

// Memory: g_malloc ends the program where there is none.

gpointer g_malloc(size_t size) {
  gpointer made = size ? malloc(size) : NULL;
  if (size && !made) abort();
  return made;
}

gpointer g_malloc0(size_t size) {
  gpointer made = size ? calloc(1, size) : NULL;
  if (size && !made) abort();
  return made;
}

gpointer g_malloc_n(size_t count, size_t size) {
  return g_malloc(count * size);
}

gpointer g_malloc0_n(size_t count, size_t size) {
  return g_malloc0(count * size);
}

gpointer g_try_malloc(size_t size) {
  return size ? malloc(size) : NULL;
}

gpointer g_try_malloc0(size_t size) {
  return size ? calloc(1, size) : NULL;
}

gpointer g_realloc(gpointer old, size_t size) {
  if (!size) {
    free(old);
    return NULL;
  }
  gpointer made = realloc(old, size);
  if (!made) abort();
  return made;
}

gpointer g_realloc_n(gpointer old, size_t count, size_t size) {
  return g_realloc(old, count * size);
}

void g_free(gpointer data) {
  free(data);
}

void g_free_sized(gpointer data, size_t size) {
  (void)size;
  free(data);
}

void g_clear_pointer(gpointer *at, GDestroyNotify destroy) {
  gpointer old = *at;
  if (!old) return;
  *at = NULL;
  destroy(old);
}

gpointer g_slice_alloc(size_t size) {
  return g_malloc(size);
}

gpointer g_slice_alloc0(size_t size) {
  return g_malloc0(size);
}

void g_slice_free1(size_t size, gpointer data) {
  (void)size;
  free(data);
}

char *g_strdup(const char *text) {
  char *made = text ? strdup(text) : NULL;
  if (text && !made) abort();
  return made;
}

// Lists, as far as queues of work are made of them.

typedef struct _GSList {
  gpointer data;
  struct _GSList *next;
} GSList;

typedef struct _GList {
  gpointer data;
  struct _GList *next, *prev;
} GList;

GSList *g_slist_prepend(GSList *list, gpointer data) {
  GSList *made = g_malloc(sizeof *made);
  made->data = data;
  made->next = list;
  return made;
}

GSList *g_slist_append(GSList *list, gpointer data) {
  GSList **end = &list;
  while (*end) end = &(*end)->next;
  *end = g_slist_prepend(NULL, data);
  return list;
}

GSList *g_slist_remove(GSList *list, const void *data) {
  for (GSList **at = &list; *at; at = &(*at)->next) {
    if ((*at)->data != data) continue;
    GSList *gone = *at;
    *at = gone->next;
    free(gone);
    break;
  }
  return list;
}

GSList *g_slist_delete_link(GSList *list, GSList *link) {
  for (GSList **at = &list; *at; at = &(*at)->next) {
    if (*at != link) continue;
    *at = link->next;
    free(link);
    break;
  }
  return list;
}

unsigned g_slist_length(GSList *list) {
  unsigned count = 0;
  for (; list; list = list->next) ++count;
  return count;
}

void g_slist_free(GSList *list) {
  while (list) {
    GSList *next = list->next;
    free(list);
    list = next;
  }
}

void g_slist_foreach(GSList *list, void (*call)(gpointer data, gpointer user), gpointer user) {
  while (list) {
    GSList *next = list->next;
    call(list->data, user);
    list = next;
  }
}

void g_slist_free_full(GSList *list, GDestroyNotify destroy) {
  for (GSList *at = list; at; at = at->next) destroy(at->data);
  g_slist_free(list);
}

GList *g_list_prepend(GList *list, gpointer data) {
  GList *made = g_malloc(sizeof *made);
  made->data = data;
  made->next = list;
  made->prev = list ? list->prev : NULL;
  if (made->prev) made->prev->next = made;
  if (list) list->prev = made;
  return made;
}

GList *g_list_last(GList *list) {
  while (list && list->next) list = list->next;
  return list;
}

GList *g_list_append(GList *list, gpointer data) {
  GList *last = g_list_last(list);
  GList *made = g_list_prepend(NULL, data);
  made->prev = last;
  if (last) last->next = made;
  return list ? list : made;
}

GList *g_list_remove_link(GList *list, GList *link) {
  if (!link) return list;
  if (link->prev) link->prev->next = link->next;
  if (link->next) link->next->prev = link->prev;
  if (link == list) list = link->next;
  link->next = link->prev = NULL;
  return list;
}

GList *g_list_delete_link(GList *list, GList *link) {
  list = g_list_remove_link(list, link);
  free(link);
  return list;
}

GList *g_list_find(GList *list, const void *data) {
  while (list && list->data != data) list = list->next;
  return list;
}

GList *g_list_remove(GList *list, const void *data) {
  GList *found = g_list_find(list, data);
  return found ? g_list_delete_link(list, found) : list;
}

unsigned g_list_length(GList *list) {
  unsigned count = 0;
  for (; list; list = list->next) ++count;
  return count;
}

void g_list_free(GList *list) {
  while (list) {
    GList *next = list->next;
    free(list);
    list = next;
  }
}

void g_list_foreach(GList *list, void (*call)(gpointer data, gpointer user), gpointer user) {
  while (list) {
    GList *next = list->next;
    call(list->data, user);
    list = next;
  }
}

void g_list_free_full(GList *list, GDestroyNotify destroy) {
  for (GList *at = list; at; at = at->next) destroy(at->data);
  g_list_free(list);
}

typedef struct _GQueue {
  GList *head, *tail;
  unsigned length;
} GQueue;

void g_queue_init(GQueue *queue) {
  queue->head = queue->tail = NULL;
  queue->length = 0;
}

GQueue *g_queue_new(void) {
  return g_malloc0(sizeof(GQueue));
}

gboolean g_queue_is_empty(GQueue *queue) {
  return !queue->head;
}

unsigned g_queue_get_length(GQueue *queue) {
  return queue->length;
}

void g_queue_push_head(GQueue *queue, gpointer data) {
  queue->head = g_list_prepend(queue->head, data);
  if (!queue->tail) queue->tail = queue->head;
  ++queue->length;
}

void g_queue_push_tail(GQueue *queue, gpointer data) {
  GList *made = g_list_prepend(NULL, data);
  made->prev = queue->tail;
  if (queue->tail) queue->tail->next = made;
  queue->tail = made;
  if (!queue->head) queue->head = made;
  ++queue->length;
}

gpointer g_queue_pop_head(GQueue *queue) {
  GList *first = queue->head;
  if (!first) return NULL;
  gpointer data = first->data;
  queue->head = first->next;
  if (queue->head) queue->head->prev = NULL;
  if (!queue->head) queue->tail = NULL;
  --queue->length;
  free(first);
  return data;
}

gpointer g_queue_pop_tail(GQueue *queue) {
  GList *last = queue->tail;
  if (!last) return NULL;
  gpointer data = last->data;
  queue->tail = last->prev;
  if (queue->tail) queue->tail->next = NULL;
  if (!queue->tail) queue->head = NULL;
  --queue->length;
  free(last);
  return data;
}

gpointer g_queue_peek_head(GQueue *queue) {
  return queue->head ? queue->head->data : NULL;
}

gpointer g_queue_peek_tail(GQueue *queue) {
  return queue->tail ? queue->tail->data : NULL;
}

void g_queue_clear(GQueue *queue) {
  g_list_free(queue->head);
  g_queue_init(queue);
}

void g_queue_free(GQueue *queue) {
  g_list_free(queue->head);
  free(queue);
}

// GAsyncQueue.

typedef struct _GAsyncQueue {
  pthread_mutex_t lock;
  pthread_cond_t added;
  GQueue items;
  int waiting;
  int references;
  GDestroyNotify destroy;
} GAsyncQueue;

GAsyncQueue *g_async_queue_new_full(GDestroyNotify destroy) {
  GAsyncQueue *queue = g_malloc0(sizeof *queue);
  pthread_mutex_init(&queue->lock, NULL);
  pthread_cond_init(&queue->added, NULL);
  queue->references = 1;
  queue->destroy = destroy;
  return queue;
}

GAsyncQueue *g_async_queue_new(void) {
  return g_async_queue_new_full(NULL);
}

GAsyncQueue *g_async_queue_ref(GAsyncQueue *queue) {
  __atomic_add_fetch(&queue->references, 1, __ATOMIC_SEQ_CST);
  return queue;
}

void g_async_queue_unref(GAsyncQueue *queue) {
  if (__atomic_sub_fetch(&queue->references, 1, __ATOMIC_SEQ_CST) != 0) return;
  if (queue->destroy)
    for (GList *at = queue->items.head; at; at = at->next) queue->destroy(at->data);
  g_list_free(queue->items.head);
  pthread_cond_destroy(&queue->added);
  pthread_mutex_destroy(&queue->lock);
  free(queue);
}

void g_async_queue_lock(GAsyncQueue *queue) {
  pthread_mutex_lock(&queue->lock);
}

void g_async_queue_unlock(GAsyncQueue *queue) {
  pthread_mutex_unlock(&queue->lock);
}

void g_async_queue_push_unlocked(GAsyncQueue *queue, gpointer data) {
  g_queue_push_tail(&queue->items, data);
  if (queue->waiting > 0) pthread_cond_signal(&queue->added);
}

void g_async_queue_push(GAsyncQueue *queue, gpointer data) {
  pthread_mutex_lock(&queue->lock);
  g_async_queue_push_unlocked(queue, data);
  pthread_mutex_unlock(&queue->lock);
}

void g_async_queue_push_front_unlocked(GAsyncQueue *queue, gpointer data) {
  g_queue_push_head(&queue->items, data);
  if (queue->waiting > 0) pthread_cond_signal(&queue->added);
}

void g_async_queue_push_front(GAsyncQueue *queue, gpointer data) {
  pthread_mutex_lock(&queue->lock);
  g_async_queue_push_front_unlocked(queue, data);
  pthread_mutex_unlock(&queue->lock);
}

gpointer g_async_queue_try_pop_unlocked(GAsyncQueue *queue) {
  return g_queue_pop_head(&queue->items);
}

gpointer g_async_queue_try_pop(GAsyncQueue *queue) {
  pthread_mutex_lock(&queue->lock);
  gpointer data = g_queue_pop_head(&queue->items);
  pthread_mutex_unlock(&queue->lock);
  return data;
}

gpointer g_async_queue_pop_unlocked(GAsyncQueue *queue) {
  ++queue->waiting;
  while (!queue->items.head) pthread_cond_wait(&queue->added, &queue->lock);
  --queue->waiting;
  return g_queue_pop_head(&queue->items);
}

gpointer g_async_queue_pop(GAsyncQueue *queue) {
  pthread_mutex_lock(&queue->lock);
  gpointer data = g_async_queue_pop_unlocked(queue);
  pthread_mutex_unlock(&queue->lock);
  return data;
}

gpointer g_async_queue_timeout_pop_unlocked(GAsyncQueue *queue, unsigned long long microseconds) {
  struct timespec until = {(time_t)(microseconds / 1000000), 0};
  int isOver = 0;
  ++queue->waiting;
  while (!queue->items.head && !isOver)
    isOver = pthread_cond_timedwait(&queue->added, &queue->lock, &until) != 0;
  --queue->waiting;
  return g_queue_pop_head(&queue->items);
}

gpointer g_async_queue_timeout_pop(GAsyncQueue *queue, unsigned long long microseconds) {
  pthread_mutex_lock(&queue->lock);
  gpointer data = g_async_queue_timeout_pop_unlocked(queue, microseconds);
  pthread_mutex_unlock(&queue->lock);
  return data;
}

int g_async_queue_length_unlocked(GAsyncQueue *queue) {
  return (int)queue->items.length - queue->waiting;
}

int g_async_queue_length(GAsyncQueue *queue) {
  pthread_mutex_lock(&queue->lock);
  int length = g_async_queue_length_unlocked(queue);
  pthread_mutex_unlock(&queue->lock);
  return length;
}

// GThreadPool.

typedef struct {
  void (*func)(gpointer data, gpointer user);
  gpointer user;
  gboolean exclusive;
  // What follows is the model's own.
  pthread_mutex_t lock;
  pthread_cond_t changed;
  GQueue items;
  pthread_t threads[2];
  int most, started, idle;
  int isOver, isImmediate;
} GThreadPool;

static void *g_thread_pool_thread(void *given) {
  GThreadPool *pool = given;
  pthread_mutex_lock(&pool->lock);
  for (;;) {
    ++pool->idle;
    while (!pool->items.head && !pool->isOver) pthread_cond_wait(&pool->changed, &pool->lock);
    --pool->idle;
    if (!pool->items.head || pool->isImmediate) break;
    gpointer data = g_queue_pop_head(&pool->items);
    pthread_mutex_unlock(&pool->lock);
    pool->func(data, pool->user);
    pthread_mutex_lock(&pool->lock);
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

GThreadPool *g_thread_pool_new(void (*func)(gpointer, gpointer), gpointer user, int most, gboolean exclusive, void **error) {
  (void)error;
  GThreadPool *pool = g_malloc0(sizeof *pool);
  pool->func = func;
  pool->user = user;
  pool->exclusive = exclusive;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->changed, NULL);
  pool->most = most;
  if (most < 0 || most > 2) {
    heddle_assumption("a GThreadPool has at most two threads");
    pool->most = 2;
  }
  return pool;
}

gboolean g_thread_pool_push(GThreadPool *pool, gpointer data, void **error) {
  (void)error;
  pthread_mutex_lock(&pool->lock);
  g_queue_push_tail(&pool->items, data);
  if (pool->idle < (int)pool->items.length && pool->started < pool->most) {
    pthread_create(&pool->threads[pool->started], NULL, g_thread_pool_thread, pool);
    ++pool->started;
  }
  pthread_cond_signal(&pool->changed);
  pthread_mutex_unlock(&pool->lock);
  return 1;
}

unsigned g_thread_pool_unprocessed(GThreadPool *pool) {
  pthread_mutex_lock(&pool->lock);
  unsigned count = pool->items.length;
  pthread_mutex_unlock(&pool->lock);
  return count;
}

unsigned g_thread_pool_get_num_threads(GThreadPool *pool) {
  pthread_mutex_lock(&pool->lock);
  unsigned count = (unsigned)pool->started;
  pthread_mutex_unlock(&pool->lock);
  return count;
}

gboolean g_thread_pool_set_max_threads(GThreadPool *pool, int most, void **error) {
  (void)error;
  pthread_mutex_lock(&pool->lock);
  pool->most = most < 0 || most > 2 ? 2 : most;
  pthread_mutex_unlock(&pool->lock);
  heddle_assumption("a GThreadPool has at most two threads");
  return 1;
}

void g_thread_pool_free(GThreadPool *pool, gboolean immediate, gboolean wait) {
  pthread_mutex_lock(&pool->lock);
  pool->isOver = 1;
  pool->isImmediate = immediate;
  pthread_cond_broadcast(&pool->changed);
  int started = pool->started;
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < started; ++i) {
    if (wait)
      pthread_join(pool->threads[i], NULL);
    else
      pthread_detach(pool->threads[i]);
  }
  if (!wait) return;
  g_list_free(pool->items.head);
  pthread_cond_destroy(&pool->changed);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

// Once. The status that the header's macro looks at stays 0, so each use comes here.

typedef struct {
  int status;
  gpointer value;
} GOnce;

struct initialization {
  const void *at;
  int isDone;
  gpointer value;
  struct initialization *next;
};

static pthread_mutex_t g_once_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t g_once_changed = PTHREAD_COND_INITIALIZER;
static struct initialization *g_once_all;

static struct initialization *g_once_of(const void *at) {
  struct initialization *found = g_once_all;
  while (found && found->at != at) found = found->next;
  return found;
}

static struct initialization *g_once_begin(const void *at) {
  struct initialization *made = g_malloc0(sizeof *made);
  made->at = at;
  made->next = g_once_all;
  g_once_all = made;
  return made;
}

gpointer g_once_impl(GOnce *once, gpointer (*call)(gpointer), gpointer argument) {
  pthread_mutex_lock(&g_once_lock);
  struct initialization *known = g_once_of(once);
  if (!known) {
    known = g_once_begin(once);
    pthread_mutex_unlock(&g_once_lock);
    gpointer value = call(argument);
    pthread_mutex_lock(&g_once_lock);
    once->value = known->value = value;
    known->isDone = 1;
    pthread_cond_broadcast(&g_once_changed);
  }
  while (!known->isDone) pthread_cond_wait(&g_once_changed, &g_once_lock);
  gpointer value = known->value;
  pthread_mutex_unlock(&g_once_lock);
  return value;
}

gboolean g_once_init_enter(volatile void *at) {
  int isFirst = 0;
  pthread_mutex_lock(&g_once_lock);
  struct initialization *known = g_once_of((const void *)at);
  if (!known) {
    isFirst = !__atomic_load_n((void *volatile *)at, __ATOMIC_ACQUIRE);
    if (isFirst) g_once_begin((const void *)at);
  }
  while (known && !known->isDone) pthread_cond_wait(&g_once_changed, &g_once_lock);
  pthread_mutex_unlock(&g_once_lock);
  return isFirst;
}

void g_once_init_leave(volatile void *at, size_t value) {
  __atomic_store_n((size_t volatile *)at, value, __ATOMIC_RELEASE);
  pthread_mutex_lock(&g_once_lock);
  struct initialization *known = g_once_of((const void *)at);
  if (known) known->isDone = 1;
  pthread_cond_broadcast(&g_once_changed);
  pthread_mutex_unlock(&g_once_lock);
}

gboolean g_once_init_enter_pointer(void *at) {
  return g_once_init_enter(at);
}

void g_once_init_leave_pointer(void *at, gpointer value) {
  g_once_init_leave(at, (size_t)value);
}

// GPrivate: a key of the thread library, made at its first use and kept in `made`.

typedef struct {
  gpointer made;
  GDestroyNotify notify;
  gpointer future[2];
} GPrivate;

static pthread_mutex_t g_private_lock = PTHREAD_MUTEX_INITIALIZER;

static pthread_key_t g_private_key(GPrivate *key) {
  pthread_key_t made;
  pthread_mutex_lock(&g_private_lock);
  if (!key->made) {
    pthread_key_create(&made, key->notify);
    key->made = (gpointer)((size_t)made + 1);
  }
  made = (pthread_key_t)((size_t)key->made - 1);
  pthread_mutex_unlock(&g_private_lock);
  return made;
}

gpointer g_private_get(GPrivate *key) {
  return pthread_getspecific(g_private_key(key));
}

void g_private_set(GPrivate *key, gpointer value) {
  pthread_setspecific(g_private_key(key), value);
}

void g_private_replace(GPrivate *key, gpointer value) {
  pthread_key_t made = g_private_key(key);
  gpointer old = pthread_getspecific(made);
  pthread_setspecific(made, value);
  if (old && key->notify) key->notify(old);
}

// Atomic operations that are called and not macros.

int g_atomic_int_get(const volatile int *at) {
  return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}

void g_atomic_int_set(volatile int *at, int value) {
  __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
}

void g_atomic_int_inc(volatile int *at) {
  __atomic_add_fetch(at, 1, __ATOMIC_SEQ_CST);
}

gboolean g_atomic_int_dec_and_test(volatile int *at) {
  return __atomic_sub_fetch(at, 1, __ATOMIC_SEQ_CST) == 0;
}

int g_atomic_int_add(volatile int *at, int value) {
  return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}

gboolean g_atomic_int_compare_and_exchange(volatile int *at, int old, int value) {
  return __atomic_compare_exchange_n(at, &old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

gpointer g_atomic_pointer_get(const volatile void *at) {
  return __atomic_load_n((gpointer const volatile *)at, __ATOMIC_SEQ_CST);
}

void g_atomic_pointer_set(volatile void *at, gpointer value) {
  __atomic_store_n((gpointer volatile *)at, value, __ATOMIC_SEQ_CST);
}

gboolean g_atomic_pointer_compare_and_exchange(volatile void *at, gpointer old, gpointer value) {
  return __atomic_compare_exchange_n((gpointer volatile *)at, &old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
