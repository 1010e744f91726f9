#include "tests/reference/frontend.h"

namespace heddle::reference {

const std::vector<Header>& headers() {
  static const std::vector<Header> kHeaders = {
      {"pthread.h",
       "#pragma once\n"
       "#include <time.h>\n"
       "typedef unsigned long pthread_t; typedef struct { long a[5]; } pthread_mutex_t;\n"
       "typedef struct { long a[6]; } pthread_cond_t; typedef struct { long a[7]; } pthread_rwlock_t;\n"
       "typedef struct { long a[4]; } pthread_barrier_t; typedef int pthread_attr_t, pthread_mutexattr_t,\n"
       "pthread_condattr_t, pthread_rwlockattr_t, pthread_barrierattr_t;\n"
       "#define PTHREAD_MUTEX_INITIALIZER {{0}}\n"
       "#define PTHREAD_COND_INITIALIZER {{0}}\n"
       "#define PTHREAD_RWLOCK_INITIALIZER {{0}}\n"
       "#define PTHREAD_BARRIER_SERIAL_THREAD (-1)\n"
       "int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);\n"
       "int pthread_join(pthread_t, void **); int pthread_detach(pthread_t); pthread_t pthread_self(void);\n"
       "void pthread_exit(void *) __attribute__((noreturn));\n"
       "int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);\n"
       "int pthread_mutex_destroy(pthread_mutex_t *); int pthread_mutex_lock(pthread_mutex_t *);\n"
       "int pthread_mutex_trylock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);\n"
       "int pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);\n"
       "int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);\n"
       "int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *); int pthread_cond_signal(pthread_cond_t "
       "*);\n"
       "int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);\n"
       "int pthread_cond_broadcast(pthread_cond_t *);\n"
       "int pthread_rwlock_rdlock(pthread_rwlock_t *); int pthread_rwlock_wrlock(pthread_rwlock_t *);\n"
       "int pthread_rwlock_tryrdlock(pthread_rwlock_t *); int pthread_rwlock_trywrlock(pthread_rwlock_t *);\n"
       "int pthread_rwlock_unlock(pthread_rwlock_t *);\n"
       "int pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);\n"
       "int pthread_barrier_wait(pthread_barrier_t *);\n"},
      {"semaphore.h",
       "#pragma once\n"
       "typedef struct { long a[4]; } sem_t; int sem_init(sem_t *, int, unsigned); int sem_wait(sem_t *);\n"
       "int sem_trywait(sem_t *); int sem_post(sem_t *); int sem_getvalue(sem_t *, int *);\n"},
      {"assert.h",
       "void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));\n"
       "#define assert(c) ((c) ? (void)0 : __assert_fail(#c, __FILE__, __LINE__, __func__))\n"},
      {"stdlib.h",
       "#pragma once\n"
       "#include <stddef.h>\n"
       "void *malloc(size_t); void *calloc(size_t, size_t); void free(void *);\n"
       "void exit(int) __attribute__((noreturn)); void abort(void) __attribute__((noreturn));\n"},
      {"stdio.h", "#pragma once\nint printf(const char *, ...); int puts(const char *);\n"},
      {"string.h",
       "#pragma once\n#include <stddef.h>\nvoid *memcpy(void *, const void *, size_t);\n"
       "void *memset(void *, int, size_t);\n"},
      {"time.h", "#pragma once\nstruct timespec { long tv_sec, tv_nsec; };\n"},
      {"sched.h", "int sched_yield(void);\n"},
      {"unistd.h", "int usleep(unsigned);\n"},
  };
  return kHeaders;
}

}  // namespace heddle::reference
