// Steps that come in the wrong order, around signals, counts and pthread_once; each beside text that is
// right.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kBegin =
    "#include <errno.h>\n#include <poll.h>\n#include <pthread.h>\n#include <setjmp.h>\n#include "
    "<signal.h>\n"
    "#include <sys/select.h>\n#include <unistd.h>\n#include <string.h>\n"
    "struct node { int refcount, used; struct node *next; };\n"
    "struct cache { pthread_mutex_t lock; struct node *nodes[8]; struct node *head; };\n"
    "static sigjmp_buf env;\nstatic volatile sig_atomic_t quit, may_jump;\nstatic int wake[2];\n"
    "void incref(struct node *n); void decref(struct node *n); void use(struct node *n); void work(void);\n"
    "static pthread_once_t once = PTHREAD_ONCE_INIT;\nstatic pthread_mutex_t once_lock;\n"
    "static int users; int atomic_inc(int *n); int atomic_dec(int *n); static void begin(void) { work(); "
    "}\n";
constexpr uint32_t kLines = 17;

/// "line kind name before other", of each slip of the text.
std::string slipsOf(const std::string& text) {
  std::string found;
  Survey survey = surveyOf(harnessSnapshot(kBegin + text));
  std::sort(survey.orderSlips.begin(), survey.orderSlips.end());
  for (const OrderSlip& slip : survey.orderSlips) {
    constexpr const char* kKinds[] = {"JumpUnset",  "TimerLeft", "EmptiedMask",  "FlagMissed",
                                      "RaisedLate", "OnceReset", "SplitSection", "EmptyFence"};
    found += std::to_string(slip.line - kLines) + " " + kKinds[static_cast<int>(slip.kind)] + " " +
             slip.name + " " + std::to_string(slip.before - kLines) + " " + slip.other + "\n";
  }
  return found;
}

std::string timed(const std::string& body, const std::string& handler = "siglongjmp(env, 1);") {
  return slipsOf("static void on(int s) { (void)s; " + handler + " }\nint f(unsigned t, int fd) {\n" + body +
                 "\n}\n");
}

TEST(OrderSlips, ATimerIsSetBehindTheJumpBuffer) {
  const std::string install = "signal(SIGALRM, on);\n";
  const std::string early = "alarm(t);\nif (sigsetjmp(env, 1)) return 1;\nwork();\nalarm(0);\nreturn 0;";
  EXPECT_EQ(timed(install + early), "4 JumpUnset env 5 on\n");
  EXPECT_EQ(timed("struct sigaction a = {0};\na.sa_handler = on;\nsigaction(SIGALRM, &a, 0);\n" + early),
            "6 JumpUnset env 7 on\n");
  EXPECT_EQ(timed(install + "if (sigsetjmp(env, 1)) return 1;\nalarm(t);\nwork();\nalarm(0);\nreturn 0;"),
            "");
  EXPECT_EQ(timed(install + "for (;;) {\nif (sigsetjmp(env, 1)) return 1;\nalarm(t);\nwork();\n}"), "");
  EXPECT_EQ(timed(install + early, "if (may_jump) siglongjmp(env, 1);"), "") << "it asks";
  EXPECT_EQ(timed(install + early, "quit = 1;"), "") << "it jumps nowhere";
  EXPECT_EQ(timed(install + "alarm(t);\nwork();\nreturn 0;"), "") << "a caller has set it";
  EXPECT_EQ(
      timed(install + "alarm(t);\nwork();\nalarm(0);\nif (sigsetjmp(env, 1)) return 1;\nalarm(t);\nwork();"
                      "\nreturn 0;"),
      "")
      << "another one";
  EXPECT_EQ(timed("signal(SIGINT, on);\nif (sigsetjmp(env, 1)) return 1;\nreturn 0;"),
            "3 JumpUnset env 4 on\n");
  EXPECT_EQ(timed("signal(SIGILL, on);\nif (sigsetjmp(env, 1)) return 1;\nreturn 0;"), "") << "of itself";
}

TEST(OrderSlips, ATimerIsStoppedBeforeItsHandlerGoes) {
  const std::string set =
      "struct sigaction a, old;\nmemset(&a, 0, sizeof a);\na.sa_handler = on;\nsigaction(SIGALRM, &a, "
      "&old);\n"
      "alarm(t);\nwork();\n";
  const std::string quiet = "quit = 1;";
  EXPECT_EQ(timed(set + "sigaction(SIGALRM, &old, 0);\nalarm(0);\nreturn 0;", quiet),
            "9 TimerLeft SIGALRM 7 alarm\n");
  EXPECT_EQ(timed(set + "alarm(0);\nsigaction(SIGALRM, &old, 0);\nreturn 0;", quiet), "");
  EXPECT_EQ(timed(set + "if (!fd) alarm(0);\nsigaction(SIGALRM, &old, 0);\nreturn 0;", quiet), "")
      << "its author thought of it";
  EXPECT_EQ(timed(set + "pause();\nsigaction(SIGALRM, &old, 0);\nreturn 0;", quiet), "") << "it has come";
  EXPECT_EQ(timed("void (*old)(int);\nold = signal(SIGALRM, on);\nalarm(t);\nwork();\nsignal(SIGALRM, old);\n"
                  "return 0;",
                  quiet),
            "7 TimerLeft SIGALRM 5 alarm\n");
  EXPECT_EQ(timed("signal(SIGALRM, SIG_DFL);\nalarm(t);\nwork();\nreturn 0;", quiet), "")
      << "to be ended by it";
}

TEST(OrderSlips, AThreadGetsTheMaskThatIsMeant) {
  const auto started = [](const std::string& fill, const std::string& start) {
    return slipsOf("int f(pthread_t *t, void *(*run)(void *)) {\nsigset_t set, old;\n" + fill +
                   "\npthread_sigmask(SIG_SETMASK, &set, &old);\n" + start +
                   ";\npthread_sigmask(SIG_SETMASK, &old, 0);\nreturn 0;\n}\n");
  };
  EXPECT_EQ(started("sigemptyset(&set);", "pthread_create(t, 0, run, 0)"),
            "4 EmptiedMask set 5 pthread_create\n");
  EXPECT_EQ(started("sigfillset(&set);", "pthread_create(t, 0, run, 0)"), "");
  EXPECT_EQ(started("sigemptyset(&set); sigaddset(&set, SIGINT);", "pthread_create(t, 0, run, 0)"), "");
  EXPECT_EQ(started("sigemptyset(&set);", "run(t)"), "") << "signals may come meanwhile";
}

std::string waited(const std::string& wait, const std::string& behind,
                   const std::string& handler = "quit = 1;") {
  return slipsOf("static void on(int s) { (void)s; " + handler +
                 " }\nint f(int fd) {\nstruct pollfd p = {fd, POLLIN, 0}; fd_set s; FD_ZERO(&s);\n"
                 "signal(SIGINT, on);\nfor (;;) {\nint n = " +
                 wait + ";\n" + behind + "\n}\n}\n");
}

TEST(OrderSlips, AFlagIsTestedBeforeAWaitWithoutLimit) {
  const std::string test = "if (n == -1 && errno == EINTR) { if (quit) return 1; continue; }\nreturn 0;";
  EXPECT_EQ(waited("poll(&p, 1, -1)", test), "6 FlagMissed quit 7 poll\n");
  EXPECT_EQ(waited("select(fd, &s, 0, 0, 0)", test), "6 FlagMissed quit 7 select\n");
  EXPECT_EQ(waited("pause()", "if (quit) return n;"), "6 FlagMissed quit 7 pause\n");
  EXPECT_EQ(waited("poll(&p, 1, 100)", test), "") << "it looks again";
  EXPECT_EQ(waited("read(fd, &s, 1)", test), "");
  EXPECT_EQ(waited("quit ? -1 : poll(&p, 1, -1)", test), "") << "a short time is left";
  EXPECT_EQ(waited("poll(&p, 1, -1)", "if (quit) return n;"), "");
  EXPECT_EQ(waited("poll(&p, 1, -1)", test, "quit = 1; (void)!write(wake[1], \"\", 1);"), "") << "it wakes";
  EXPECT_EQ(waited("poll(&p, 2, -1)", test, "may_jump = 1;"), "") << "the handler is in another file";
}

std::string counted(const std::string& body) {
  return slipsOf(
      "static struct node *find_node(struct cache *c, int i) { return c->nodes[i]; }\n"
      "static struct node *get_node(struct cache *c, int i) {\n"
      "struct node *n = c->nodes[i]; n->refcount++; return n; }\n"
      "struct node *f(struct cache *c, int i, struct node *e) {\nstruct node *n = 0;\n"
      "pthread_mutex_lock(&c->lock);\n" +
      body + "\nreturn n;\n}\n");
}

TEST(OrderSlips, ACountIsRaisedUnderTheLock) {
  const std::string unlock = "pthread_mutex_unlock(&c->lock);\n", late = unlock + "incref(n);";
  EXPECT_EQ(counted("n = c->nodes[i];\n" + late), "9 RaisedLate n 8 c->lock\n");
  EXPECT_EQ(counted("n = c->nodes[i];\n" + unlock + "n->refcount++;"), "9 RaisedLate n 8 c->lock\n");
  EXPECT_EQ(counted("n = c->nodes[i];\n" + unlock + "__atomic_fetch_add(&n->refcount, 1, __ATOMIC_SEQ_CST);"),
            "9 RaisedLate n 8 c->lock\n");
  EXPECT_EQ(counted("n = find_node(c, i);\n" + late), "9 RaisedLate n 8 c->lock\n");
  EXPECT_EQ(counted("for (n = c->head; n; n = n->next)\nif (n->used == i) break;\n" + late),
            "10 RaisedLate n 9 c->lock\n");
  EXPECT_EQ(counted("n = c->nodes[i];\nif (!n) c->nodes[i] = e;\nelse e = n;\n" + unlock + "incref(e);"),
            "11 RaisedLate e 10 c->lock\n");
}

TEST(OrderSlips, OtherObjectsAreRaisedBehindTheUnlock) {
  const std::string unlock = "pthread_mutex_unlock(&c->lock);\n", late = unlock + "incref(n);";
  EXPECT_EQ(counted("n = c->nodes[i];\nincref(n);\n" + unlock), "");
  EXPECT_EQ(counted("n = c->nodes[i];\nincref(n);\n" + late), "") << "twice";
  EXPECT_EQ(counted("n = get_node(c, i);\n" + late), "") << "has been raised there";
  EXPECT_EQ(counted("c->nodes[i] = e;\nn = e;\n" + late), "") << "of the caller";
  EXPECT_EQ(counted("n = c->head;\nc->head = n->next;\n" + late), "") << "taken out";
  EXPECT_EQ(counted("n = c->nodes[i];\nn->used = 1;\n" + late), "") << "marked";
  EXPECT_EQ(counted("n = c->nodes[i];\n" + unlock + "use(n);"), "");
  EXPECT_EQ(counted("n = c->nodes[i];\n" + unlock + "decref(n);"), "");
  EXPECT_EQ(counted("n = e->next;\n" + late), "") << "of no data that the lock belongs to";
  EXPECT_EQ(counted("n = c->nodes[i];\n" + unlock + "n = e;\nincref(n);"), "");
}

TEST(OrderSlips, PthreadOnceIsSetAgainUnderTheLockOfItsCount) {
  const auto text = [](const std::string& start, const std::string& end) {
    return slipsOf("int start(void) {\n" + start +
                   "\nreturn 0;\n}\nint stop(void) {\npthread_once_t fresh = "
                   "PTHREAD_ONCE_INIT;\n" +
                   end + "\nreturn 0;\n}\n");
  };
  const std::string lock = "pthread_mutex_lock(&once_lock);\n",
                    unlock = "\npthread_mutex_unlock(&once_lock);";
  const std::string begun = "atomic_inc(&users);\npthread_once(&once, begin);";
  const std::string last = "if (atomic_dec(&users)) return 1;\n", reset = "once = fresh;";
  EXPECT_EQ(text(begun, last + reset), "9 OnceReset once 8 users\n");
  EXPECT_EQ(text(lock + begun + unlock, last + lock + reset + unlock), "12 OnceReset once 10 users\n");
  EXPECT_EQ(text(lock + begun + unlock, lock + "if (--users == 0)\n" + reset + unlock), "");
  EXPECT_EQ(text("pthread_once(&once, begin);", reset), "") << "nobody counts";
}

std::string fenced(const std::string& fence, const std::string& body) {
  return slipsOf(
      "struct rw { unsigned writer, readers; };\n"
      "static void barrier(void) { __asm__ __volatile__(\"\" ::: \"memory\"); return; }\n"
      "static void fence_atomic_load(void) { barrier(); }\n"
      "static void fence_memory(void) { __asm__ __volatile__(\"mfence\" ::: \"memory\"); }\n"
      "static void pr_store(unsigned *at, unsigned v) { *at = v; }\n"
      "static unsigned pr_load(const unsigned *at) { return *at; }\n"
      "static unsigned pr_cas(unsigned *at, unsigned v) { return __sync_bool_compare_and_swap(at, v, 1); }\n"
      "#define PR_STORE(at, v) ({ pr_store((at), (v)); })\n"
      "static void mark(struct rw *l) { pr_store(&l->writer, 1); }\n"
      "int lock(struct rw *l, struct rw *m) {\n" +
      body + "\n" + fence + ";\nwhile (pr_load(&l->readers) != 0) barrier();\nreturn 0;\n}\n");
}

TEST(OrderSlips, AFenceBetweenAStoreAndALoadDoesSomething) {
  const std::string told = "13 EmptyFence l->readers 11 fence_atomic_load\n";
  const std::string empty = "fence_atomic_load()";
  EXPECT_EQ(fenced(empty, "pr_store(&l->writer, 1);"), told);
  EXPECT_EQ(fenced(empty, "PR_STORE(&l->writer, 1);"), told);
  EXPECT_EQ(fenced(empty, "l->writer = 1;"), told);
  EXPECT_EQ(fenced(empty, "mark(l);"), told);
  EXPECT_EQ(fenced("fence_memory()", "pr_store(&l->writer, 1);"), "");
  EXPECT_EQ(fenced("barrier()", "pr_store(&l->writer, 1);"), "") << "for the compiler alone, by its name";
  EXPECT_EQ(fenced(empty, "pr_store(&l->readers, 1);"), "") << "of what is stored";
  EXPECT_EQ(fenced(empty, "if (pr_cas(&l->writer, 0)) return 1;"), "") << "orders by itself";
  EXPECT_EQ(fenced(empty, "pr_store(&l->writer, 1);\npr_cas(&m->writer, 0);"), "");
  EXPECT_EQ(fenced(empty + ";\nif (pr_cas(&m->writer, 0)) return 1", "pr_store(&l->writer, 1);"), "");
}

}  // namespace
}  // namespace heddle::testing
