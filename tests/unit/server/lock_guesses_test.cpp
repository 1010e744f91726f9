// Lock guesses: what the text of single ways through functions tells of locks that are kept, released or
// taken twice, taken in two orders, and of waits that test nothing again.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kPoolHead = R"(#include <pthread.h>
#include <stdlib.h>
struct pool { pthread_mutex_t lock, other; pthread_cond_t ready; int waiting; struct pool *next; };
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
int count(struct pool *p) {
  pthread_mutex_lock(&p->lock);
  const int waiting = p->waiting;
  pthread_mutex_unlock(&p->lock);
  return waiting;
}
void put(struct pool *p) {
  pthread_mutex_lock(&p->lock);
  p->waiting++, pthread_cond_signal(&p->ready);
  pthread_mutex_unlock(&p->lock);
}
static void enter(struct pool *p) { pthread_mutex_lock(&p->lock); }
static void leave(struct pool *p) { pthread_mutex_unlock(&p->lock); }
)";

/// "line 'lock' what" of each, by lines of `more`.
std::string guessesOf(const std::string& more) {
  std::string text;
  for (const LockGuess& guess : harnessesOf(kPoolHead + more).guesses)
    text += std::to_string(guess.line - 17) + " '" + guess.lock + "' " + guess.why + '\n';
  return text;
}

/// The ways that release it may also go past it.
TEST(LockGuesses, AWayOutOfALoopThatKeepsTheLockIsTold) {
  const auto drain = [](const std::string& unlock) {
    return "int drain(struct pool *p) {\n"
           "  while (p->next) {\n"
           "    pthread_mutex_lock(&p->lock);\n"
           "    if (p->waiting > 9) { " +
           unlock +
           "\n"
           "      return 1; }\n"
           "    pthread_mutex_unlock(&p->lock);\n"
           "    p = p->next;\n"
           "  }\n"
           "  return 0;\n"
           "}\n"
           "int flush(struct pool *p, int kind) {\n"
           "  for (int i = 0; i < kind; ++i) {\n"
           "    if (kind == 1) { pthread_mutex_lock(&all); count(p); pthread_mutex_unlock(&all); }\n"
           "    if (kind == 2) { pthread_mutex_lock(&all); count(p); " +
           unlock + "\n      return 1; }\n  }\n  return 0;\n}\n";
  };
  EXPECT_EQ(
      guessesOf(drain("")),
      "15 'all' is still locked on this way through 'flush', and others release it (locked in line 31)\n");
  EXPECT_EQ(guessesOf(drain("pthread_mutex_unlock(kind == 2 ? &all : &p->lock);")), "");
}

TEST(LockGuesses, AWayOutThatKeepsTheLockIsTold) {
  EXPECT_EQ(
      guessesOf("int take(struct pool *p) {\n"
                "  pthread_mutex_lock(&p->lock);\n"
                "  if (p->waiting == 0) return 0;\n"
                "  p->waiting--;\n"
                "  pthread_mutex_unlock(&p->lock);\n"
                "  return 1;\n"
                "}\n"),
      "3 'p->lock' is still locked on this way through 'take', and others release it (locked in line 19)\n");
  EXPECT_EQ(
      guessesOf("int take(struct pool *p) {\n"
                "  int taken = 0;\n"
                "  enter(p);\n"
                "  if (p->waiting == 0) goto out;\n"
                "  taken = p->waiting--;\n"
                "  leave(p);\n"
                "out:\n"
                "  return taken;\n"
                "}\n"),
      "4 'p->lock' is still locked on this way through 'take', and others release it (locked in line 20)\n");
  const auto use = [](const std::string& name) {
    return "void " + name +
           "(struct pool *p) {\n"
           "  pthread_mutex_lock(&p->other);\n"
           "  p->waiting++;\n"
           "  pthread_mutex_unlock(&p->other);\n"
           "}\n";
  };
  const std::string clear =
      "void clear(struct pool *p) {\n  pthread_mutex_lock(&p->other);\n  p->waiting = 0;\n}\n";
  EXPECT_EQ(guessesOf(clear + use("one") + use("two")),
            "2 'pool.other' is locked by 'clear', and no way releases it\n");
  // Somebody releases it for others.
  EXPECT_EQ(guessesOf(clear + use("one") + use("two") +
                      "void done(struct pool *p) { pthread_mutex_unlock(&p->other); }\n"),
            "");
}

TEST(LockGuesses, WaysOutThatReleaseTheLockAreNotTold) {
  EXPECT_EQ(guessesOf("int take(struct pool *p) {\n"
                      "  int taken = 0;\n"
                      "  pthread_mutex_lock(&p->lock);\n"
                      "  if (p->waiting < 0) {\n"
                      "    pthread_mutex_unlock(&p->lock);\n"
                      "    return -1;\n"
                      "  }\n"
                      "  if (p->waiting == 0) goto out;\n"
                      "  taken = p->waiting--;\n"
                      "out:\n"
                      "  leave(p);\n"
                      "  return taken;\n"
                      "}\n"),
            "");
  // A function that says so releases it, also where what it does is not read.
  EXPECT_EQ(guessesOf("void drop_and_unlock(struct pool *p);\n"
                      "void take(struct pool *p) {\n"
                      "  pthread_mutex_lock(&p->lock);\n"
                      "  if (p->waiting > 9) {\n    drop_and_unlock(p);\n    return;\n  }\n  leave(p);\n}\n"),
            "");
  // A flag tells which ways have it; a failed lock is none; a process that ends needs none.
  EXPECT_EQ(guessesOf("void stop(struct pool *p) {\n"
                      "  int is_locked = (pthread_mutex_lock(&p->lock) == 0);\n"
                      "  p->waiting = 0;\n"
                      "  if (is_locked) pthread_mutex_unlock(&p->lock);\n"
                      "}\n"
                      "int take(struct pool *p, int is_locked) {\n"
                      "  if (!is_locked && pthread_mutex_lock(&p->lock) != 0) return -1;\n"
                      "  if (p->waiting < 0) abort();\n"
                      "  if (!is_locked) pthread_mutex_unlock(&p->lock);\n"
                      "  return 0;\n"
                      "}\n"
                      "int look(struct pool *p) {\n"
                      "  if (pthread_mutex_trylock(&p->lock)) return -1;\n"
                      "  pthread_mutex_unlock(&p->lock);\n"
                      "  return 0;\n"
                      "}\n"),
            "");
  // The caller gets it with the object.
  EXPECT_EQ(guessesOf("struct pool *find(struct pool *p) {\n"
                      "  pthread_mutex_lock(&p->lock);\n"
                      "  if (p->waiting == 0) {\n"
                      "    pthread_mutex_unlock(&p->lock);\n"
                      "    return NULL;\n"
                      "  }\n"
                      "  return p;\n"
                      "}\n"),
            "");
}

TEST(LockGuesses, ALockThatIsReleasedTwiceIsTold) {
  const std::string again =
      "void clear(struct pool *p) {\n"
      "  pthread_mutex_lock(&p->lock);\n"
      "  p->waiting = 0;\n"
      "  if (p->next) {\n"
      "    pthread_mutex_unlock(&p->lock);\n";
  EXPECT_EQ(guessesOf(again + "  }\n  pthread_mutex_unlock(&p->lock);\n}\n"),
            "7 'p->lock' is released again in 'clear' (released in line 22)\n");
  EXPECT_EQ(guessesOf(again + "    return;\n  }\n  pthread_mutex_unlock(&p->lock);\n}\n"), "");
  EXPECT_EQ(guessesOf("int clear(struct pool *p) {\n"
                      "  int error;\n"
                      "  if ((error = pthread_mutex_lock(&p->lock)) != 0) return error;\n"
                      "  pthread_mutex_unlock(&p->lock);\n"
                      "  pthread_mutex_unlock(&p->lock);\n"
                      "  return 0;\n"
                      "}\n"),
            "5 'p->lock' is released again in 'clear' (released in line 21)\n");
  EXPECT_EQ(guessesOf("void clear(struct pool *p) {\n"
                      "  enter(p);\n"
                      "  leave(p);\n"
                      "  p->waiting = 0;\n"
                      "  pthread_mutex_unlock(&p->lock);\n"
                      "}\n"),
            "5 'p->lock' is released again in 'clear' (released in line 20)\n");
}

TEST(LockGuesses, ALockThatIsTakenTwiceIsTold) {
  EXPECT_EQ(guessesOf("int sum(struct pool *p) {\n"
                      "  pthread_mutex_lock(&p->lock);\n"
                      "  const int n = count(p);\n"
                      "  pthread_mutex_unlock(&p->lock);\n"
                      "  return n;\n"
                      "}\n"),
            "3 'p->lock' is locked again in 'sum' by 'count' (locked in line 19)\n");
  // A constant says whether it locks.
  EXPECT_EQ(guessesOf("static int count_of(struct pool *p, int locks) {\n"
                      "  if (!locks) return p->waiting;\n"
                      "  return count(p);\n"
                      "}\n"
                      "int sum(struct pool *p) {\n"
                      "  pthread_mutex_lock(&p->lock);\n"
                      "  const int n = count_of(p, 0);\n"
                      "  pthread_mutex_unlock(&p->lock);\n"
                      "  return n;\n"
                      "}\n"),
            "");
  // Another object; the variable means another one in each round; a mutex that its owner may lock again.
  EXPECT_EQ(guessesOf("int sum(struct pool *p) {\n"
                      "  pthread_mutex_lock(&p->lock);\n"
                      "  const int n = count(p->next);\n"
                      "  pthread_mutex_unlock(&p->lock);\n"
                      "  return n;\n"
                      "}\n"
                      "void lock_all(struct pool *p) {\n"
                      "  for (; p; p = p->next) pthread_mutex_lock(&p->lock);\n"
                      "}\n"),
            "");
  EXPECT_EQ(
      guessesOf(
          "void set_up(pthread_mutexattr_t *a) { pthread_mutexattr_settype(a, PTHREAD_MUTEX_RECURSIVE); }\n"
          "int sum(struct pool *p) {\n"
          "  pthread_mutex_lock(&p->lock);\n"
          "  const int n = count(p);\n"
          "  pthread_mutex_unlock(&p->lock);\n"
          "  return n;\n"
          "}\n"),
      "");
}

TEST(LockGuesses, TwoOrdersOfTwoLocksAreTold) {
  const std::string first =
      "void move(struct pool *p) {\n"
      "  pthread_mutex_lock(&all);\n"
      "  put(p);\n"
      "  pthread_mutex_unlock(&all);\n"
      "}\n";
  EXPECT_EQ(guessesOf(first + "void drop(struct pool *p) {\n"
                              "  pthread_mutex_lock(&p->lock);\n"
                              "  pthread_mutex_lock(&all);\n"
                              "  pthread_mutex_unlock(&all);\n"
                              "  pthread_mutex_unlock(&p->lock);\n"
                              "}\n"),
            "3 'pool.lock' is locked under 'all' here, and 'all' is locked under it in line 25 ('drop')\n");
  EXPECT_EQ(guessesOf(first + "void drop(struct pool *p) {\n"
                              "  pthread_mutex_lock(&p->lock);\n"
                              "  pthread_mutex_unlock(&p->lock);\n"
                              "  pthread_mutex_lock(&all);\n"
                              "  pthread_mutex_unlock(&all);\n"
                              "}\n"),
            "");
}

TEST(LockGuesses, AWaitThatTestsNothingAgainIsTold) {
  const std::string begin = "void await(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  ";
  const std::string end =
      " (p->waiting == 0)\n    pthread_cond_wait(&p->ready, &p->lock);\n  "
      "pthread_mutex_unlock(&p->lock);\n}\n";
  EXPECT_EQ(guessesOf(begin + "if" + end),
            "4 'p->ready' is waited for once in 'await', outside of a loop: a wait may also end without a "
            "signal\n");
  EXPECT_EQ(guessesOf(begin + "while" + end), "");
  // A wrapper waits for what it is given.
  EXPECT_EQ(
      guessesOf(
          "int my_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { return pthread_cond_wait(c, m); }\n"),
      "");
}

TEST(LockGuesses, ATimedWaitTestsAgainAsWell) {
  const auto await = [](const std::string& word) {
    return "int await(struct pool *p, struct timespec *t) {\n  " + word +
           " (p->waiting == 0)\n    if (pthread_cond_timedwait(&p->ready, &p->lock, t)) return 1;\n  return "
           "0;\n}\n";
  };
  EXPECT_EQ(guessesOf(await("if")),
            "3 'p->ready' is waited for once in 'await', outside of a loop: a wait may also end without a "
            "signal\n");
  EXPECT_EQ(guessesOf(await("while")), "");
}

TEST(LockGuesses, NothingIsToldOfALockThatAnUnknownFunctionGets) {
  const std::string begin = "void twist(pthread_mutex_t *lock, int by);\nvoid clear(struct pool *p) {\n";
  const std::string lock = "  pthread_mutex_lock(&p->lock);\n";
  EXPECT_EQ(
      guessesOf(begin + lock + "  twist(&p->lock, 1);\n" + lock + "  pthread_mutex_unlock(&p->lock);\n}\n"),
      "");
  EXPECT_EQ(guessesOf(begin + lock + lock + "  pthread_mutex_unlock(&p->lock);\n}\n"),
            "4 'p->lock' is locked again in 'clear' (locked in line 20)\n");
}

TEST(LockGuesses, AStaticVariableThatNoLockGuardsIsTold) {
  const std::string add =
      "static int carry;\n"
      "int add(struct pool *p, int n) {\n"
      "  carry = p->waiting;\n"
      "  p->waiting += n;\n"
      "  return p->waiting < carry;\n"
      "}\n";
  EXPECT_EQ(guessesOf(add),
            "3 'carry' is static and written in 'add' without a lock: two threads that call it race\n");
  EXPECT_EQ(
      guessesOf(
          "int add(struct pool *p, int n) {\n  static int calls;\n  calls++;\n  return n + p->waiting;\n}\n"),
      "3 'add::calls' is static and written in 'add' without a lock: two threads that call it race\n");
  // Guarded, of each thread, set before there are threads, in a program.
  EXPECT_EQ(guessesOf("static int carry;\n"
                      "void add(void) {\n"
                      "  pthread_mutex_lock(&all);\n"
                      "  carry++;\n"
                      "  pthread_mutex_unlock(&all);\n"
                      "}\n"
                      "static __thread int own;\n"
                      "void note(void) { own++; }\n"
                      "static int level;\n"
                      "void pool_init(int n) { level = n; }\n"
                      "int pool_level(void) { return level; }\n"
                      "static int table;\n"
                      "void make_table_once(void) { table = 1; }\n"),
            "");
  EXPECT_EQ(guessesOf(add + "int main(void) { return 0; }\n"), "");
}

TEST(LockGuesses, CallsOnObjectsOfTheirOwnRaceForAStaticVariable) {
  const std::string text =
      "#include <stdlib.h>\n"
      "struct sum { unsigned low, high; };\n"
      "static unsigned before;\n"
      "void sum_init(struct sum *s) { s->low = s->high = 0; }\n"
      "void sum_add(struct sum *s, unsigned n) {\n"
      "  before = s->low;\n"
      "  s->low += n;\n"
      "  if (s->low < before) s->high++;\n"
      "}\n";
  const HarnessPlan plan = harnessesOf(text);
  const GeneratedHarness* apart = harnessNamed(plan, "sum_add || sum_add, apart");
  ASSERT_NE(apart, nullptr);
  EXPECT_TRUE(apart->isOptional);
  const Report report = exploredIn(text, apart->title);
  EXPECT_TRUE(report.findings.empty());
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  for (const Finding& finding : report.warnings) EXPECT_EQ(finding.message, "data race on 'before'");
  std::string local = text;
  local.replace(local.find("static unsigned before;\n"), 24, "");
  local.replace(local.find("  before = "), 2, "  unsigned ");
  EXPECT_EQ(harnessNamed(harnessesOf(local), apart->title), nullptr);
}

TEST(LockGuesses, AFunctionThatKeepsItsLockIsCalledTwiceFirst) {
  const std::string text = std::string(kPoolHead) +
                           "int take(struct pool *p) {\n"
                           "  pthread_mutex_lock(&p->lock);\n"
                           "  if (p->waiting == 0) return 0;\n"
                           "  p->waiting--;\n"
                           "  pthread_mutex_unlock(&p->lock);\n"
                           "  return 1;\n"
                           "}\n";
  const HarnessPlan plan = harnessesOf(text);
  ASSERT_FALSE(plan.harnesses.empty());
  EXPECT_EQ(plan.harnesses.front().title, "take || take");
  const Report report = exploredIn(text, "take || take");
  const auto isKept = [](const Finding& finding) { return finding.kind == Property::Deadlock; };
  EXPECT_TRUE(std::any_of(report.warnings.begin(), report.warnings.end(), isKept)) << report.problem;
}

TEST(LockGuesses, ACallbackOfATableRunsBesideOthersAndIsOnlyPossible) {
  const std::string text =
      "#include <pthread.h>\n"
      "struct coder { pthread_mutex_t lock; int done; };\n"
      "static void step(void *given) {\n"
      "  struct coder *c = given;\n"
      "  pthread_mutex_lock(&c->lock);\n"
      "  c->done++;\n"
      "  pthread_mutex_unlock(&c->lock);\n"
      "}\n"
      "static int progress(void *given) { return ((struct coder *)given)->done; }\n"
      "struct functions { void (*step)(void *); int (*progress)(void *); };\n"
      "const struct functions coder_functions = {step, progress};\n";
  const Report report = exploredIn(text, "step || progress");
  EXPECT_TRUE(report.findings.empty());
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  EXPECT_TRUE(isRace(report.warnings.front()));
}

TEST(LockGuesses, AThreadThatTheFileStartsIsNoCallback) {
  const HarnessPlan plan = harnessesOf(
      "#include <pthread.h>\n#include <stdlib.h>\n"
      "struct pool { pthread_mutex_t lock; int n; };\n"
      "struct worker { struct pool *pool; pthread_t thread; };\n"
      "static void *work(void *given) {\n"
      "  struct worker *w = given;\n"
      "  pthread_mutex_lock(&w->pool->lock);\n"
      "  w->pool->n++;\n"
      "  pthread_mutex_unlock(&w->pool->lock);\n"
      "  return 0;\n"
      "}\n"
      "static int worker_init(struct pool *p, struct worker **place) {\n"
      "  *place = malloc(sizeof **place);\n"
      "  (*place)->pool = p;\n"
      "  return pthread_create(&(*place)->thread, 0, work, *place);\n"
      "}\n"
      "static void worker_destroy(struct worker *w) { free(w); }\n"
      "void pool_run(struct pool *p) {\n"
      "  struct worker *w;\n"
      "  worker_init(p, &w);\n"
      "  pthread_join(w->thread, 0);\n"
      "  worker_destroy(w);\n"
      "}\n");
  EXPECT_EQ(harnessNamed(plan, "worker_init, worker_destroy"), nullptr);
  EXPECT_EQ(harnessNamed(plan, "work || work"), nullptr);
}

/// Whether the lock was taken, the ways out of the function do not know; the last one asks again.
TEST(LockGuesses, ALockTakenOnConditionIsReleasedOnEachWay) {
  const auto find = [](const std::string& release) {
    return "int find(struct pool *p, int n) {\n  if (p->next) pthread_mutex_lock(&p->next->lock);\n"
           "  for (int i = 0; i < n; i++)\n    if (p->waiting == i) {" +
           release +
           "\n      return i;\n    }\n  if (p->next) pthread_mutex_unlock(&p->next->lock);\n"
           "  return -1;\n}\n";
  };
  EXPECT_EQ(guessesOf(find("")),
            "5 'p->next->lock' is still locked on this way through 'find', and others release it (locked in "
            "line 19)\n");
  EXPECT_EQ(guessesOf(find("\n  if (p->next) pthread_mutex_unlock(&p->next->lock);")), "");
}

TEST(LockGuesses, AMutexThatIsPassedByValueIsACopy) {
  const auto text = [](const std::string& star) {
    return "static void bump(struct pool *p, pthread_mutex_t " + star + "m) {\n  pthread_mutex_lock(" +
           (star.empty() ? "&m" : "m") + ");\n  p->waiting++;\n  pthread_mutex_unlock(" +
           (star.empty() ? "&m" : "m") + ");\n}\nvoid up(struct pool *p) { bump(p, " +
           (star.empty() ? "" : "&") + "p->other); }\n";
  };
  EXPECT_EQ(guessesOf(text("")),
            "1 'm' is passed to 'bump' by value: that is a copy, which keeps nobody else away\n");
  EXPECT_EQ(guessesOf(text("*")), "");
}

TEST(LockGuesses, AStaticLockIsInitializedSomewhere) {
  const auto use = [](const std::string& value, const std::string& more) {
    return "static pthread_mutex_t own" + value +
           ";\nvoid mine(void) {\n  pthread_mutex_lock(&own);\n"
           "  pthread_mutex_unlock(&own);\n}\n" +
           more;
  };
  EXPECT_EQ(guessesOf(use("", "")), "1 'own' is used in 'mine' and initialized nowhere\n");
  EXPECT_EQ(guessesOf(use(" = PTHREAD_MUTEX_INITIALIZER", "")), "");
  EXPECT_EQ(guessesOf(use("", "void mine_init(void) { pthread_mutex_init(&own, NULL); }\n")), "");
  EXPECT_EQ(guessesOf(use("", "void set_up(pthread_mutex_t *m);\nvoid mine_init(void) { set_up(&own); }\n")),
            "");
  EXPECT_EQ(guessesOf(use("", "static pthread_mutex_t *const all_of[] = {&own};\n")), "");
}

}  // namespace
}  // namespace heddle::testing
