// libuv: the loop with work for threads, wake-ups from other threads and timers. Its locks, conditions and
// threads are the interpreter's own. What a loop does about files and sockets is not here.
#include <pthread.h>
#include <stdlib.h>

void heddle_assumption(const char *text);
int heddle_input(const char *name);

#define UV_EBUSY (-16)
#define UV_EINVAL (-22)
#define UV_RUN_DEFAULT 0
#define UV_RUN_ONCE 1
#define UV_RUN_NOWAIT 2

// As the headers lay them out, as far as programs read them.
typedef struct {
  void *data;
} uv_loop_t;

typedef struct {
  void *data;
  uv_loop_t *loop;
  int type;
} uv_handle_t;

typedef struct uv_work {
  void *data;
  int type;
  void *reserved[6];
  uv_loop_t *loop;
  void (*work)(struct uv_work *);
  void (*after)(struct uv_work *, int);
} uv_work_t;

typedef void (*uv_callback)(void *);

enum kind { kWork, kAsync, kTimer, kClose };

// What a loop has to call, or may have to.
struct task {
  enum kind kind;
  void *of;            // request or handle
  uv_callback call;    // of a handle; of a close the callback that ends it
  void (*work)(void *);
  void (*after)(void *, int);
  int isPending;       // it stands in the loop's queue
  int isActive;        // it keeps the loop alive, unless it is no longer referred to
  int isUnreferred;
  int isClosing;
  int repeats;
  struct loop *loop;
  struct task *next, *nextPending;
};

struct loop {
  uv_loop_t *of;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct task *all, *first, *last;
  int isStopped;
  struct loop *next;
};

static pthread_mutex_t uv_loops_lock = PTHREAD_MUTEX_INITIALIZER;
static struct loop *uv_loops;
static union {
  uv_loop_t loop;
  char bytes[2048];
} uv_the_default;

static struct loop *uv_loop_of(uv_loop_t *of) {
  pthread_mutex_lock(&uv_loops_lock);
  struct loop *found = uv_loops;
  while (found && found->of != of) found = found->next;
  if (!found) {
    found = calloc(1, sizeof *found);
    if (!found) abort();
    found->of = of;
    pthread_mutex_init(&found->lock, NULL);
    pthread_cond_init(&found->changed, NULL);
    found->next = uv_loops;
    uv_loops = found;
  }
  pthread_mutex_unlock(&uv_loops_lock);
  return found;
}

static struct task *uv_task_of(struct loop *loop, void *of) {
  struct task *found = loop->all;
  while (found && found->of != of) found = found->next;
  return found;
}

static struct task *uv_add_task(struct loop *loop, enum kind kind, void *of) {
  struct task *made = calloc(1, sizeof *made);
  if (!made) abort();
  made->kind = kind;
  made->of = of;
  made->loop = loop;
  made->next = loop->all;
  loop->all = made;
  return made;
}

static void uv_forget(struct loop *loop, struct task *task) {
  struct task **at = &loop->all;
  while (*at && *at != task) at = &(*at)->next;
  if (*at) *at = task->next;
  free(task);
}

static void uv_ask(struct loop *loop, struct task *task) {
  if (task->isPending) return;
  task->isPending = 1;
  task->nextPending = NULL;
  if (loop->last)
    loop->last->nextPending = task;
  else
    loop->first = task;
  loop->last = task;
  pthread_cond_signal(&loop->changed);
}

static int uv_is_kept_alive(struct loop *loop) {
  for (struct task *task = loop->all; task; task = task->next)
    if ((task->isActive && !task->isUnreferred) || task->isClosing) return 1;
  return 0;
}

static struct task *uv_due_timer(struct loop *loop) {
  for (struct task *task = loop->all; task; task = task->next)
    if (task->kind == kTimer && task->isActive && !task->isClosing) return task;
  return NULL;
}

uv_loop_t *uv_default_loop(void) {
  return &uv_the_default.loop;
}

int uv_loop_init(uv_loop_t *of) {
  uv_loop_of(of);
  return 0;
}

int uv_loop_close(uv_loop_t *of) {
  struct loop *loop = uv_loop_of(of);
  pthread_mutex_lock(&loop->lock);
  int isBusy = loop->all != NULL;
  pthread_mutex_unlock(&loop->lock);
  return isBusy ? UV_EBUSY : 0;
}

int uv_loop_alive(const uv_loop_t *of) {
  struct loop *loop = uv_loop_of((uv_loop_t *)of);
  pthread_mutex_lock(&loop->lock);
  int isAlive = uv_is_kept_alive(loop);
  pthread_mutex_unlock(&loop->lock);
  return isAlive;
}

void uv_stop(uv_loop_t *of) {
  struct loop *loop = uv_loop_of(of);
  pthread_mutex_lock(&loop->lock);
  loop->isStopped = 1;
  pthread_mutex_unlock(&loop->lock);
}

// One callback; the loop's lock is not held while it runs.
static void uv_call(struct loop *loop, struct task *task) {
  const enum kind kind = task->isClosing ? kClose : task->kind;
  const uv_callback call = task->call;
  void (*after)(void *, int) = task->after;
  void *of = task->of;
  if (kind == kTimer && !task->repeats) task->isActive = 0;
  if (kind == kWork || kind == kClose) uv_forget(loop, task);
  pthread_mutex_unlock(&loop->lock);
  if (kind == kWork) {
    if (after) after(of, 0);
  } else if (call) {
    call(of);
  }
  pthread_mutex_lock(&loop->lock);
}

int uv_run(uv_loop_t *of, int mode) {
  struct loop *loop = uv_loop_of(of);
  heddle_assumption("a loop of libuv calls back in the order in which it is asked to");
  pthread_mutex_lock(&loop->lock);
  for (int round = 0; !loop->isStopped && (mode == UV_RUN_DEFAULT || round == 0); ++round) {
    if (!uv_is_kept_alive(loop)) break;
    while (mode != UV_RUN_NOWAIT && !loop->first && !uv_due_timer(loop) && !loop->isStopped)
      pthread_cond_wait(&loop->changed, &loop->lock);
    struct task *timer = uv_due_timer(loop);
    if (timer && (!loop->first || heddle_input("uv_run: a timer is due"))) {
      uv_call(loop, timer);
      continue;
    }
    struct task *task = loop->first;
    if (!task) continue;
    loop->first = task->nextPending;
    if (!loop->first) loop->last = NULL;
    task->isPending = 0;
    uv_call(loop, task);
  }
  loop->isStopped = 0;
  int isAlive = uv_is_kept_alive(loop);
  pthread_mutex_unlock(&loop->lock);
  return isAlive;
}

static void *uv_worker(void *given) {
  struct task *task = given;
  struct loop *loop = task->loop;
  task->work(task->of);
  pthread_mutex_lock(&loop->lock);
  uv_ask(loop, task);
  pthread_mutex_unlock(&loop->lock);
  return NULL;
}

int uv_queue_work(uv_loop_t *of, uv_work_t *request, void (*work)(uv_work_t *), void (*after)(uv_work_t *, int)) {
  if (!work) return UV_EINVAL;
  struct loop *loop = uv_loop_of(of);
  heddle_assumption("libuv has a thread for each request of work, and calls back in the order in which they end");
  request->loop = of;
  pthread_mutex_lock(&loop->lock);
  struct task *task = uv_add_task(loop, kWork, request);
  task->work = (void (*)(void *))work;
  task->after = (void (*)(void *, int))after;
  task->isActive = 1;
  pthread_mutex_unlock(&loop->lock);
  pthread_t thread;
  pthread_create(&thread, NULL, uv_worker, task);
  pthread_detach(thread);
  return 0;
}

int uv_cancel(void *request) {
  (void)request;
  heddle_assumption("uv_cancel comes when the work has begun");
  return UV_EBUSY;
}

static int uv_init(uv_loop_t *of, void *handle, enum kind kind, uv_callback call) {
  struct loop *loop = uv_loop_of(of);
  ((uv_handle_t *)handle)->loop = of;
  pthread_mutex_lock(&loop->lock);
  struct task *task = uv_add_task(loop, kind, handle);
  task->call = call;
  task->isActive = kind == kAsync;
  pthread_mutex_unlock(&loop->lock);
  return 0;
}

int uv_async_init(uv_loop_t *of, void *handle, uv_callback call) {
  return uv_init(of, handle, kAsync, call);
}

int uv_async_send(void *handle) {
  struct loop *loop = uv_loop_of(((uv_handle_t *)handle)->loop);
  pthread_mutex_lock(&loop->lock);
  struct task *task = uv_task_of(loop, handle);
  if (task && !task->isClosing) uv_ask(loop, task);
  pthread_mutex_unlock(&loop->lock);
  return 0;
}

int uv_timer_init(uv_loop_t *of, void *handle) {
  heddle_assumption("a timer of libuv ends at any time");
  return uv_init(of, handle, kTimer, NULL);
}

int uv_timer_start(void *handle, uv_callback call, unsigned long long timeout, unsigned long long repeat) {
  (void)timeout;
  struct loop *loop = uv_loop_of(((uv_handle_t *)handle)->loop);
  pthread_mutex_lock(&loop->lock);
  struct task *task = uv_task_of(loop, handle);
  if (task && call && !task->isClosing) {
    task->call = call;
    task->repeats = repeat != 0;
    task->isActive = 1;
  }
  pthread_mutex_unlock(&loop->lock);
  return call ? 0 : UV_EINVAL;
}

int uv_timer_stop(void *handle) {
  struct loop *loop = uv_loop_of(((uv_handle_t *)handle)->loop);
  pthread_mutex_lock(&loop->lock);
  struct task *task = uv_task_of(loop, handle);
  if (task) task->isActive = 0;
  pthread_mutex_unlock(&loop->lock);
  return 0;
}

void uv_close(void *handle, uv_callback call) {
  struct loop *loop = uv_loop_of(((uv_handle_t *)handle)->loop);
  pthread_mutex_lock(&loop->lock);
  struct task *task = uv_task_of(loop, handle);
  if (!task) task = uv_add_task(loop, kClose, handle);
  task->call = call;
  task->isActive = 0;
  task->isClosing = 1;
  uv_ask(loop, task);
  pthread_mutex_unlock(&loop->lock);
}

int uv_is_active(const void *handle) {
  struct loop *loop = uv_loop_of(((const uv_handle_t *)handle)->loop);
  pthread_mutex_lock(&loop->lock);
  struct task *task = uv_task_of(loop, (void *)handle);
  int isActive = task && task->isActive;
  pthread_mutex_unlock(&loop->lock);
  return isActive;
}

int uv_is_closing(const void *handle) {
  struct loop *loop = uv_loop_of(((const uv_handle_t *)handle)->loop);
  pthread_mutex_lock(&loop->lock);
  struct task *task = uv_task_of(loop, (void *)handle);
  int isClosing = !task || task->isClosing;
  pthread_mutex_unlock(&loop->lock);
  return isClosing;
}

static void uv_refer(void *handle, int isUnreferred) {
  struct loop *loop = uv_loop_of(((uv_handle_t *)handle)->loop);
  pthread_mutex_lock(&loop->lock);
  struct task *task = uv_task_of(loop, handle);
  if (task) task->isUnreferred = isUnreferred;
  pthread_mutex_unlock(&loop->lock);
}

void uv_ref(void *handle) {
  uv_refer(handle, 0);
}

void uv_unref(void *handle) {
  uv_refer(handle, 1);
}

int uv_key_create(pthread_key_t *key) {
  return -pthread_key_create(key, NULL);
}

void uv_key_delete(pthread_key_t *key) {
  pthread_key_delete(*key);
}

void *uv_key_get(pthread_key_t *key) {
  return pthread_getspecific(*key);
}

void uv_key_set(pthread_key_t *key, void *value) {
  pthread_setspecific(*key, value);
}
