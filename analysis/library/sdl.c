// SDL 2 and 3: threads, mutexes (which are recursive), conditions, semaphores, atomic numbers.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

void heddle_assumption(const char *text);

typedef struct SDL_Thread {
  pthread_t thread;
  int (*run)(void *);
  void *data;
  int status;
} SDL_Thread;

static void *sdl_thread(void *given) {
  SDL_Thread *thread = given;
  thread->status = thread->run(thread->data);
  return NULL;
}

SDL_Thread *SDL_CreateThread(int (*run)(void *), const char *name, void *data) {
  (void)name;
  SDL_Thread *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->run = run;
  made->data = data;
  if (pthread_create(&made->thread, NULL, sdl_thread, made) == 0) return made;
  free(made);
  return NULL;
}

SDL_Thread *SDL_CreateThreadWithStackSize(int (*run)(void *), const char *name, size_t size, void *data) {
  (void)size;
  return SDL_CreateThread(run, name, data);
}

SDL_Thread *SDL_CreateThreadRuntime(int (*run)(void *), const char *name, void *data, void *begin, void *end) {
  (void)begin;
  (void)end;
  return SDL_CreateThread(run, name, data);
}

void SDL_WaitThread(SDL_Thread *thread, int *status) {
  if (!thread) return;
  pthread_join(thread->thread, NULL);
  if (status) *status = thread->status;
  free(thread);
}

void SDL_DetachThread(SDL_Thread *thread) {
  if (thread) pthread_detach(thread->thread);
}

void SDL_Delay(unsigned milliseconds) {
  (void)milliseconds;
}

pthread_mutex_t *SDL_CreateMutex(void) {
  pthread_mutexattr_t kind;
  pthread_mutex_t *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(made, &kind);
  return made;
}

int SDL_LockMutex(pthread_mutex_t *mutex) {
  return mutex ? pthread_mutex_lock(mutex) : 0;
}

int SDL_UnlockMutex(pthread_mutex_t *mutex) {
  return mutex ? pthread_mutex_unlock(mutex) : 0;
}

// 1: SDL_MUTEX_TIMEDOUT of SDL 2. SDL 3 gives a truth, the other way round, and has a function of that name,
// too: which one it is, the text does not say, so a program of SDL 3 is taken as one of SDL 2.
int SDL_TryLockMutex(pthread_mutex_t *mutex) {
  heddle_assumption("SDL_TryLockMutex answers as in SDL 2: 0 where it has the lock");
  return !mutex || pthread_mutex_trylock(mutex) == 0 ? 0 : 1;
}

void SDL_DestroyMutex(pthread_mutex_t *mutex) {
  if (!mutex) return;
  pthread_mutex_destroy(mutex);
  free(mutex);
}

pthread_cond_t *SDL_CreateCond(void) {
  pthread_cond_t *made = calloc(1, sizeof *made);
  if (made) pthread_cond_init(made, NULL);
  return made;
}

int SDL_CondWait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  return pthread_cond_wait(condition, mutex);
}

int SDL_CondWaitTimeout(pthread_cond_t *condition, pthread_mutex_t *mutex, unsigned milliseconds) {
  struct timespec until = {milliseconds / 1000, 0};
  return pthread_cond_timedwait(condition, mutex, &until) == 0 ? 0 : 1;
}

int SDL_CondSignal(pthread_cond_t *condition) {
  return pthread_cond_signal(condition);
}

int SDL_CondBroadcast(pthread_cond_t *condition) {
  return pthread_cond_broadcast(condition);
}

void SDL_DestroyCond(pthread_cond_t *condition) {
  if (!condition) return;
  pthread_cond_destroy(condition);
  free(condition);
}

pthread_cond_t *SDL_CreateCondition(void) {
  return SDL_CreateCond();
}

void SDL_WaitCondition(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  pthread_cond_wait(condition, mutex);
}

void SDL_SignalCondition(pthread_cond_t *condition) {
  pthread_cond_signal(condition);
}

void SDL_BroadcastCondition(pthread_cond_t *condition) {
  pthread_cond_broadcast(condition);
}

void SDL_DestroyCondition(pthread_cond_t *condition) {
  SDL_DestroyCond(condition);
}

sem_t *SDL_CreateSemaphore(unsigned value) {
  sem_t *made = calloc(1, sizeof *made);
  if (made) sem_init(made, 0, value);
  return made;
}

int SDL_SemWait(sem_t *semaphore) {
  return sem_wait(semaphore);
}

int SDL_SemTryWait(sem_t *semaphore) {
  return sem_trywait(semaphore) == 0 ? 0 : 1;
}

int SDL_SemPost(sem_t *semaphore) {
  return sem_post(semaphore);
}

unsigned SDL_SemValue(sem_t *semaphore) {
  int value = 0;
  sem_getvalue(semaphore, &value);
  return (unsigned)value;
}

void SDL_WaitSemaphore(sem_t *semaphore) {
  sem_wait(semaphore);
}

void SDL_SignalSemaphore(sem_t *semaphore) {
  sem_post(semaphore);
}

void SDL_DestroySemaphore(sem_t *semaphore) {
  if (!semaphore) return;
  sem_destroy(semaphore);
  free(semaphore);
}

typedef struct {
  int value;
} SDL_atomic_t;

int SDL_AtomicGet(SDL_atomic_t *at) {
  return __atomic_load_n(&at->value, __ATOMIC_SEQ_CST);
}

int SDL_AtomicSet(SDL_atomic_t *at, int value) {
  return __atomic_exchange_n(&at->value, value, __ATOMIC_SEQ_CST);
}

int SDL_AtomicAdd(SDL_atomic_t *at, int value) {
  return __atomic_fetch_add(&at->value, value, __ATOMIC_SEQ_CST);
}

int SDL_AtomicCAS(SDL_atomic_t *at, int old, int value) {
  return __atomic_compare_exchange_n(&at->value, &old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void *SDL_AtomicGetPtr(void **at) {
  return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}

void *SDL_AtomicSetPtr(void **at, void *value) {
  return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);
}

int SDL_AtomicCASPtr(void **at, void *old, void *value) {
  return __atomic_compare_exchange_n(at, &old, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

int SDL_AtomicTryLock(int *lock) {
  return __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) == 0;
}

void SDL_AtomicLock(int *lock) {
  while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0) {
  }
}

void SDL_AtomicUnlock(int *lock) {
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}
