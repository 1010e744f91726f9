// Threads and locks by the names that GLib and libuv have for them: each program with a bug has a twin
// without.
#include <gtest/gtest.h>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

// As the libraries declare them, for neither may be installed: only addresses count.
const char* const kGlib =
    "typedef union { void *p; unsigned i[2]; } GMutex; typedef struct { void *p; unsigned i[2]; } GCond;\n"
    "typedef struct { void *p; unsigned i[2]; } GRecMutex; typedef struct { void *p; unsigned i[2]; } "
    "GRWLock;\n"
    "typedef struct _GThread GThread;\n"
    "void g_mutex_init(GMutex *); void g_mutex_clear(GMutex *); void g_mutex_lock(GMutex *);\n"
    "void g_mutex_unlock(GMutex *); int g_mutex_trylock(GMutex *);\n"
    "void g_rec_mutex_lock(GRecMutex *); void g_rec_mutex_unlock(GRecMutex *);\n"
    "void g_rw_lock_reader_lock(GRWLock *); void g_rw_lock_reader_unlock(GRWLock *);\n"
    "void g_rw_lock_writer_lock(GRWLock *); void g_rw_lock_writer_unlock(GRWLock *);\n"
    "int g_rw_lock_writer_trylock(GRWLock *);\n"
    "void g_cond_wait(GCond *, GMutex *); int g_cond_wait_until(GCond *, GMutex *, long);\n"
    "void g_cond_signal(GCond *);\n"
    "GThread *g_thread_new(const char *, void *(*)(void *), void *); void *g_thread_join(GThread *);\n";

const char* const kLibuv =
    "#include <semaphore.h>\n"
    "typedef pthread_mutex_t uv_mutex_t; typedef pthread_cond_t uv_cond_t; typedef sem_t uv_sem_t;\n"
    "typedef pthread_t uv_thread_t; typedef pthread_rwlock_t uv_rwlock_t; typedef pthread_once_t uv_once_t;\n"
    "typedef pthread_barrier_t uv_barrier_t;\n"
    "int uv_mutex_init(uv_mutex_t *); int uv_mutex_init_recursive(uv_mutex_t *);\n"
    "void uv_mutex_lock(uv_mutex_t *); void uv_mutex_unlock(uv_mutex_t *); int uv_mutex_trylock(uv_mutex_t "
    "*);\n"
    "void uv_mutex_destroy(uv_mutex_t *);\n"
    "int uv_cond_init(uv_cond_t *); void uv_cond_wait(uv_cond_t *, uv_mutex_t *); void "
    "uv_cond_signal(uv_cond_t *);\n"
    "int uv_cond_timedwait(uv_cond_t *, uv_mutex_t *, unsigned long);\n"
    "int uv_sem_init(uv_sem_t *, unsigned); void uv_sem_post(uv_sem_t *); void uv_sem_wait(uv_sem_t *);\n"
    "int uv_sem_trywait(uv_sem_t *);\n"
    "int uv_rwlock_init(uv_rwlock_t *); void uv_rwlock_rdlock(uv_rwlock_t *); void "
    "uv_rwlock_rdunlock(uv_rwlock_t *);\n"
    "int uv_rwlock_trywrlock(uv_rwlock_t *); void uv_rwlock_wrunlock(uv_rwlock_t *);\n"
    "int uv_barrier_init(uv_barrier_t *, unsigned); int uv_barrier_wait(uv_barrier_t *);\n"
    "void uv_once(uv_once_t *, void (*)(void));\n"
    "int uv_thread_create(uv_thread_t *, void (*)(void *), void *); int uv_thread_join(uv_thread_t *);\n";

void expectVerified(const std::string& text) {
  const Report report = check(text);
  EXPECT_EQ(toString(report.verdict), std::string("verified")) << report.problem;
  for (const Finding& finding : report.findings) ADD_FAILURE() << finding.message;
}

bool finds(const std::string& text, Property kind) {
  for (const Finding& finding : check(text).findings)
    if (finding.kind == kind) return true;
  return false;
}

std::string glibQueue(const char* wait, const char* lock) {
  return std::string(kGlib) + "struct { GMutex mutex; int count; GCond filled; } q;\n" +
         "void *put(void *p) { " + lock + " q.count++; g_cond_signal(&q.filled); " +
         (*lock ? "g_mutex_unlock(&q.mutex);" : "") + " return p; }\n" +
         "int main(void) { int seven = 7; GThread *t = g_thread_new(\"put\", put, &seven);\n" +
         "  g_mutex_lock(&q.mutex); " + wait +
         " assert(q.count > 0); q.count--; g_mutex_unlock(&q.mutex);\n" +
         "  int *back = g_thread_join(t); assert(*back == 7 && q.count == 0); return 0; }\n";
}

TEST(Glib, AConditionIsWaitedForInALoop) {
  const char* const lock = "g_mutex_lock(&q.mutex);";
  expectVerified(glibQueue("while (q.count == 0) g_cond_wait(&q.filled, &q.mutex);", lock));
  EXPECT_TRUE(
      finds(glibQueue("if (q.count == 0) g_cond_wait(&q.filled, &q.mutex);", lock), Property::Assert));
  EXPECT_TRUE(finds(glibQueue("g_cond_wait(&q.filled, &q.mutex);", lock), Property::Deadlock));
  EXPECT_TRUE(finds(glibQueue("while (q.count == 0) g_cond_wait(&q.filled, &q.mutex);", ""), Property::Race));
}

TEST(Glib, WhatTriesSaysWhetherItHas) {
  expectVerified(
      std::string(kGlib) +
      "GMutex m; GRecMutex r; GRWLock w; int x;\n"
      "void *t(void *p) { if (g_mutex_trylock(&m)) { x++; g_mutex_unlock(&m); } return p; }\n"
      "int main(void) { g_mutex_init(&m); GThread *a = g_thread_new(0, t, 0); GThread *b = "
      "g_thread_new(0, t, 0);\n"
      "  g_thread_join(a); g_thread_join(b); assert(x == 1 || x == 2);\n"
      "  g_rec_mutex_lock(&r); g_rec_mutex_lock(&r); g_rec_mutex_unlock(&r); g_rec_mutex_unlock(&r);\n"
      "  g_rw_lock_reader_lock(&w); assert(!g_rw_lock_writer_trylock(&w)); g_rw_lock_reader_unlock(&w);\n"
      "  assert(g_rw_lock_writer_trylock(&w)); g_rw_lock_writer_unlock(&w);\n"
      "  g_mutex_clear(&m); return 0; }\n");
}

TEST(Glib, AMutexHasNoBytesBehindItself) {
  // What lies behind a GMutex is no type of a pthread mutex: this one is not recursive.
  EXPECT_TRUE(finds(std::string(kGlib) +
                        "struct { GMutex m; int a, b, kind; } s; int main(void) { s.a = s.b = s.kind = 1;\n"
                        "g_mutex_lock(&s.m); g_mutex_lock(&s.m); return 0; }\n",
                    Property::Deadlock));
}

TEST(Glib, AWaitWithALimitSaysWhetherItsTimeIsOver) {
  expectVerified(
      glibQueue("int over = 0; while (q.count == 0 && !over) over = !g_cond_wait_until(&q.filled, "
                "&q.mutex, 5); if (q.count == 0) { q.count = 1; g_mutex_unlock(&q.mutex); "
                "g_thread_join(t); return 0; }",
                "g_mutex_lock(&q.mutex);"));
}

std::string uvCounter(const char* lock, const char* unlock) {
  return std::string(kLibuv) + "uv_mutex_t m; uv_sem_t s; int x;\n" + "void t(void *p) { " + lock +
         " x += *(int *)p; " + unlock + " uv_sem_post(&s); }\n" +
         "int main(void) { uv_thread_t a, b; int one = 1;\n" +
         "  if (uv_mutex_init(&m) || uv_sem_init(&s, 0)) return 1;\n" +
         "  assert(uv_sem_trywait(&s) == -EAGAIN);\n" +
         "  if (uv_thread_create(&a, t, &one) || uv_thread_create(&b, t, &one)) return 1;\n" +
         "  uv_sem_wait(&s); uv_sem_wait(&s);\n" +
         "  assert(x == 2); uv_thread_join(&a); uv_thread_join(&b);\n" +
         "  uv_mutex_lock(&m); assert(uv_mutex_trylock(&m) == -EBUSY); uv_mutex_unlock(&m);\n" +
         "  uv_mutex_destroy(&m); return 0; }\n";
}

TEST(Libuv, LocksSemaphoresAndThreads) {
  const std::string errors = "#include <errno.h>\n";
  expectVerified(errors + uvCounter("uv_mutex_lock(&m);", "uv_mutex_unlock(&m);"));
  EXPECT_TRUE(finds(errors + uvCounter("", ""), Property::Race));
}

TEST(Libuv, BarriersOnceAndRwlocks) {
  expectVerified(
      std::string(kLibuv) +
      "uv_barrier_t b; uv_once_t o = PTHREAD_ONCE_INIT; uv_rwlock_t w; uv_mutex_t r; int made, serial;\n"
      "void make(void) { made++; }\n"
      "void t(void *p) { (void)p; uv_once(&o, make); if (uv_barrier_wait(&b)) serial++; }\n"
      "int main(void) { uv_thread_t a; uv_barrier_init(&b, 2); uv_rwlock_init(&w); "
      "uv_mutex_init_recursive(&r);\n"
      "  uv_thread_create(&a, t, 0); uv_once(&o, make); const int mine = uv_barrier_wait(&b);\n"
      "  uv_thread_join(&a); assert(made == 1 && serial + mine == 1);\n"
      "  uv_rwlock_rdlock(&w); assert(uv_rwlock_trywrlock(&w) != 0); uv_rwlock_rdunlock(&w);\n"
      "  assert(uv_rwlock_trywrlock(&w) == 0); uv_rwlock_wrunlock(&w);\n"
      "  uv_mutex_lock(&r); uv_mutex_lock(&r); uv_mutex_unlock(&r); uv_mutex_unlock(&r); return 0; }\n");
}

}  // namespace
}  // namespace heddle::test
