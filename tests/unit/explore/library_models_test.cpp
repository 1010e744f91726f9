// Functions of libraries that are modelled in C, and a project's own models.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "analysis/compile/compiler.h"
#include "analysis/compile/unit_code.h"
#include "analysis/library/library_models.h"
#include "analysis/pipeline/pipeline.h"

namespace heddle {
namespace {

Report checkedText(const std::string& text, const std::string& modelFolder = "") {
  Snapshot snapshot;
  snapshot.path = "/nowhere/program.c";
  snapshot.text = text;
  snapshot.command = commandFromFlags(snapshot.path, {});
  snapshot.environment.modelFolder = modelFolder;
  return analyze(snapshot, {}, Budget().withSteps(300'000));
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

/// All is decided, and nothing is wrong.
void expectFine(const Report& report) {
  EXPECT_TRUE(report.verdict == Verdict::Verified || report.verdict == Verdict::VerifiedWithinBounds)
      << report.problem << (report.findings.empty() ? "" : ": " + report.findings.front().message);
  EXPECT_TRUE(report.unknownCalls.empty()) << report.unknownCalls.front().name;
}

void expectKind(const Report& report, Property kind, uint32_t line) {
  for (const Finding& finding : report.findings) {
    EXPECT_EQ(finding.place.file, "/nowhere/program.c") << finding.message;
    if (finding.kind == kind && finding.place.line == line) return;
  }
  ADD_FAILURE() << "not found: " << report.problem
                << (report.findings.empty() ? ""
                                            : report.findings.front().message + " at line " +
                                                  std::to_string(report.findings.front().place.line));
}

/// A program is wrapped once, however often something is linked to it.
TEST(LibraryModels, AWrappedFunctionStaysWrappedOnceBesideModelsOfTheProject) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("models" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "unused.c") << "int unused_by_the_program(void) { return 1; }\n";
  const Report report = checkedText(
      "#include <assert.h>\n#include <pthread.h>\nstatic int calls;\n"
      "int __real_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a);\n"
      "int __wrap_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) {\n"
      "  calls++;\n  return __real_pthread_mutex_init(m, a);\n}\n"
      "int main(void) {\n  pthread_mutex_t m;\n  pthread_mutex_init(&m, 0);\n  assert(calls == 1);\n"
      "  pthread_mutex_destroy(&m);\n  return 0;\n}\n",
      folder.string());
  std::filesystem::remove_all(folder);
  EXPECT_EQ(report.verdict, Verdict::VerifiedWithinBounds) << report.problem;
  ASSERT_FALSE(report.assumptions.empty());
  EXPECT_EQ(report.assumptions.front().text, "the program is linked with --wrap=pthread_mutex_init");
}

TEST(LibraryModels, EachCompilesAndDefinesWhatItsTextSays) {
  for (const LibraryModel& model : libraryModels()) {
    const std::string path = "/heddle/models/" + std::string(model.name);
    Compiler compiler;
    CompileResult compiled =
        compiler.compile(path, std::string(model.text), commandFromFlags(path, {"-Wall", "-Wextra"}));
    for (const CompileMessage& message : compiled.messages)
      ADD_FAILURE() << model.name << ':' << message.place.line << ": " << message.text;
    ASSERT_TRUE(compiled.module) << model.name;
    std::vector<std::string> defined;
    for (const UnitSymbol& symbol : symbolsOf(*compiled.module)) defined.push_back(symbol.name);
    std::vector<std::string> said(model.names.begin(), model.names.end());
    std::sort(defined.begin(), defined.end());
    std::sort(said.begin(), said.end());
    EXPECT_EQ(said, defined) << model.name;
  }
}

constexpr const char* kLoop = R"(#include <stddef.h>
typedef struct { void *data; } uv_loop_t;
typedef struct { void *data; uv_loop_t *loop; char rest[112]; } uv_async_t;
typedef struct { void *data; char rest[120]; } uv_work_t;
uv_loop_t *uv_default_loop(void);
int uv_queue_work(uv_loop_t *, uv_work_t *, void (*)(uv_work_t *), void (*)(uv_work_t *, int));
int uv_async_init(uv_loop_t *, uv_async_t *, void (*)(uv_async_t *));
int uv_async_send(uv_async_t *);
void uv_close(uv_async_t *, void (*)(uv_async_t *));
int uv_run(uv_loop_t *, int);
static uv_async_t async;
static int done, seen;
static void work(uv_work_t *request) { *(int *)request->data = 1; uv_async_send(&async); }
static void after(uv_work_t *request, int status) { seen += *(int *)request->data + status; uv_close(&async, NULL); }
static void woken(uv_async_t *handle) { (void)handle; }
void heddle_assert(int); int main(void) {
  uv_work_t request = {&done, ""};
  uv_async_init(uv_default_loop(), &async, woken);
  uv_queue_work(uv_default_loop(), &request, work, after);
  uv_run(uv_default_loop(), 0);
  heddle_assert(!(seen != 1));
  return 0;
}
)";

TEST(LibraryModels, WorkForTheThreadsOfALoopAndWhatComesBack) {
  expectFine(checkedText(kLoop));
  // The worker goes on after it has woken the loop.
  const std::string late = replaced(replaced(kLoop, "(void)handle; }", "(void)handle; done++; }"),
                                    "uv_async_send(&async); }", "uv_async_send(&async); done = 2; }");
  expectKind(checkedText(late), Property::Race, 13);
}

/// A wait with a limit ends, also where nobody wakes it.
TEST(LibraryModels, AWaitWithALimitEnds) {
  expectFine(checkedText(
      "void *g_async_queue_new(void); void *g_async_queue_timeout_pop(void *, unsigned long long);\n"
      "int main(void) { return g_async_queue_timeout_pop(g_async_queue_new(), 5) != 0; }\n"));
  expectFine(
      checkedText("#include <sys/syscall.h>\n#include <time.h>\nlong syscall(long, ...);\n"
                  "int main(void) {\n  int word = 0;\n  struct timespec limit = {1, 0};\n"
                  "  return syscall(SYS_futex, &word, 0, 0, &limit) == 0;\n}\n"));
}

constexpr const char* kPool = R"(#include <stddef.h>
typedef struct { void (*func)(void *, void *); void *user; int exclusive; } GThreadPool;
typedef struct { void *p[2]; } GMutex;
void g_mutex_lock(GMutex *); void g_mutex_unlock(GMutex *);
GThreadPool *g_thread_pool_new(void (*)(void *, void *), void *, int, int, void **);
int g_thread_pool_push(GThreadPool *, void *, void **);
void g_thread_pool_free(GThreadPool *, int, int);
void *g_async_queue_new(void); void g_async_queue_push(void *, void *); void *g_async_queue_pop(void *);
void g_async_queue_unref(void *);
static GMutex lock;
static int total;
static void add(void *item, void *queue) {
  g_mutex_lock(&lock);
  total += *(int *)item;
  g_mutex_unlock(&lock);
  g_async_queue_push(queue, item);
}
void heddle_assert(int); int main(void) {
  int one = 1, two = 2;
  void *queue = g_async_queue_new();
  GThreadPool *pool = g_thread_pool_new(add, queue, 2, 1, NULL);
  g_thread_pool_push(pool, &one, NULL);
  g_thread_pool_push(pool, &two, NULL);
  int sum = *(int *)g_async_queue_pop(queue) + *(int *)g_async_queue_pop(queue);
  g_thread_pool_free(pool, 0, 1);
  g_async_queue_unref(queue);
  heddle_assert(!(sum != 3 || total != 3));
  return 0;
}
)";

TEST(LibraryModels, APoolOfThreadsAndAQueueBetweenThem) {
  expectFine(checkedText(kPool));
  const std::string racy =
      replaced(replaced(kPool, "  g_mutex_lock(&lock);", ""), "  g_mutex_unlock(&lock);", "");
  expectKind(checkedText(racy), Property::Race, 14);
}

TEST(LibraryModels, OnceAndDataOfThreads) {
  const std::string text = R"(#include <pthread.h>
typedef struct { void *made; void (*notify)(void *); void *future[2]; } GPrivate;
int g_once_init_enter(volatile void *); void g_once_init_leave(volatile void *, unsigned long);
void *g_private_get(GPrivate *); void g_private_set(GPrivate *, void *);
static GPrivate mine;
static unsigned long ready;
static int table;
void heddle_assert(int);
static void *use(void *given) {
  if (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE) && g_once_init_enter(&ready)) {
    table = 7;
    g_once_init_leave(&ready, 1);
  }
  g_private_set(&mine, given);
  heddle_assert(!(table != 7 || g_private_get(&mine) != given));
  return 0;
}
void heddle_assert(int); int main(void) {
  pthread_t a, b; int x, y;
  pthread_create(&a, 0, use, &x); pthread_create(&b, 0, use, &y);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
)";
  expectFine(checkedText(text));
  const std::string early = replaced(text, "    g_once_init_leave(&ready, 1);\n  }",
                                     "    g_once_init_leave(&ready, 1);\n    table = 7;\n  }");
  expectKind(checkedText(early), Property::Race, 13);
}

TEST(LibraryModels, AMutexOfFutexes) {
  const std::string text = R"(#include <pthread.h>
#include <sys/syscall.h>
long syscall(long, ...);
static int word, count;
static void lock(void) {
  int old = 0;
  if (__atomic_compare_exchange_n(&word, &old, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
  while (__atomic_exchange_n(&word, 2, __ATOMIC_SEQ_CST) != 0) syscall(SYS_futex, &word, 128, 2, (void *)0);
}
static void unlock(void) {
  if (__atomic_exchange_n(&word, 0, __ATOMIC_SEQ_CST) == 2) syscall(SYS_futex, &word, 129, 1);
}
static void *use(void *given) { lock(); ++count; unlock(); return given; }
void heddle_assert(int); int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, use, 0); pthread_create(&b, 0, use, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  heddle_assert(!(count != 2));
  return 0;
}
)";
  expectFine(checkedText(text));
  const Report lost = checkedText(replaced(text, "syscall(SYS_futex, &word, 129, 1);", "(void)0;"));
  EXPECT_EQ(lost.properties.at(Property::Deadlock), Verdict::Violated) << lost.problem;
}

TEST(LibraryModels, ThreadsAndConditionsOfSdl) {
  const std::string text = R"(#include <stddef.h>
void *SDL_CreateThread(int (*)(void *), const char *, void *); void SDL_WaitThread(void *, int *);
void *SDL_CreateMutex(void); int SDL_LockMutex(void *); int SDL_UnlockMutex(void *); void SDL_DestroyMutex(void *);
void *SDL_CreateCond(void); int SDL_CondWait(void *, void *); int SDL_CondSignal(void *); void SDL_DestroyCond(void *);
static void *mutex, *changed;
static int ready;
static int give(void *unused) {
  (void)unused;
  SDL_LockMutex(mutex); ready = 1; SDL_CondSignal(changed); SDL_UnlockMutex(mutex);
  return 3;
}
void heddle_assert(int); int main(void) {
  int status = 0;
  mutex = SDL_CreateMutex(); changed = SDL_CreateCond();
  void *thread = SDL_CreateThread(give, "give", NULL);
  SDL_LockMutex(mutex);
  while (!ready) SDL_CondWait(changed, mutex);
  SDL_UnlockMutex(mutex);
  SDL_WaitThread(thread, &status);
  heddle_assert(!(status != 3));
  SDL_DestroyMutex(mutex); SDL_DestroyCond(changed);
  return 0;
}
)";
  expectFine(checkedText(text));
  const Report lost = checkedText(replaced(text, "SDL_CondSignal(changed); ", ""));
  EXPECT_EQ(lost.properties.at(Property::Deadlock), Verdict::Violated) << lost.problem;
}

TEST(LibraryModels, AnEpollSetGivesBackTheDataOfWhatIsReady) {
  const std::string text = R"(#include <sys/epoll.h>
static int hits;
void heddle_assert(int); int main(void) {
  struct epoll_event asked = {EPOLLIN, {&hits}}, ready[2];
  int set = epoll_create1(0);
  if (set < 0 || epoll_ctl(set, EPOLL_CTL_ADD, 5, &asked) != 0) return 1;
  int count = epoll_wait(set, ready, 2, -1);
  for (int i = 0; i < count; ++i) ++*(int *)ready[i].data.ptr;
  heddle_assert(!(hits > 1));
  return 0;
}
)";
  expectFine(checkedText(text));
  const Report wrong = checkedText(replaced(text, "hits > 1", "hits > 0"));
  EXPECT_FALSE(wrong.findings.empty()) << wrong.problem;
}

TEST(LibraryModels, AnAssertionOfOneThreadAboutWhatComesFromOutsideIsOnlyPossible) {
  const std::string text = R"(#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static void *work(void *given) { return given; }
int main(int argc, char **argv) {
  pthread_t thread;
  assert(argc < 2 || atoi(argv[1]) > 0);
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
)";
  const Report report = checkedText(text);
  EXPECT_TRUE(report.findings.empty());
  ASSERT_EQ(report.warnings.size(), 1u) << report.problem;
  EXPECT_TRUE(report.warnings.front().possible);
  // What the program itself asks for as an input is its own.
  const Report own =
      checkedText(replaced(text, "argc < 2 || atoi(argv[1]) > 0", "__VERIFIER_nondet_int() > 0"));
  ASSERT_EQ(own.findings.size(), 1u) << own.problem;
}

class OwnModels : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "heddle-models-" + std::to_string(getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& text) const { std::ofstream(folder_ + "/store.c") << text; }
  std::string folder_;
};

TEST_F(OwnModels, AreLinkedWhereTheProgramDefinesNone) {
  const std::string program =
      "int store_get(void);\nvoid heddle_assert(int); int main(void) { heddle_assert(!(store_get() > 3)); "
      "return 0; }\n";
  write("void heddle_assumption(const char *);\nint unused(void) { return missing; }\n");
  const Report wrong = checkedText(program, folder_);
  EXPECT_EQ(wrong.verdict, Verdict::Error);
  EXPECT_EQ(wrong.problemPlace.file, folder_ + "/store.c");
  EXPECT_EQ(wrong.problemPlace.line, 2u);
  write(
      "void heddle_assumption(const char *);\nint store_get(void) { heddle_assumption(\"small\"); return 2; "
      "}\n");
  const Report fine = checkedText(program, folder_);
  EXPECT_EQ(fine.verdict, Verdict::VerifiedWithinBounds) << fine.problem;
  ASSERT_EQ(fine.assumptions.size(), 1u);
  EXPECT_EQ(fine.assumptions.front().text, "small");
  EXPECT_FALSE(checkedText("int store_get(void) { return 4; }\n" + program, folder_).findings.empty());
}

}  // namespace
}  // namespace heddle
