// Shared guesses: what the text tells of data that threads share without a lock, of what is set too late or
// in another section than it was tested in, and of locks around what others call.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kSharedHead = R"(#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>
typedef volatile unsigned long item_atomic_t;
struct item { pthread_mutex_t lock; pthread_t thread; int stop, running, level; bool busy; long count; char *cache; };
void work(struct item *x);
char *make(void);
)";

/// "line 'what' why" of each that has `word` in its reason, by lines of `more`.
std::string sharedGuessesOf(const std::string& word, const std::string& more) {
  std::string text;
  for (const LockGuess& guess : harnessesOf(kSharedHead + more).guesses)
    if (guess.why.find(word) != std::string::npos)
      text += std::to_string(guess.line - 7) + " '" + guess.lock + "' " + guess.why + '\n';
  return text;
}

std::string plainWrites(const std::string& more) {
  return sharedGuessesOf("without an atomic operation", more);
}

TEST(SharedGuesses, AWriteBesideAtomicChangesIsNone) {
  const std::string add = "void add(struct item *x) { __sync_fetch_and_add(&x->count, 1); }\n";
  EXPECT_EQ(
      plainWrites(add + "void reset(struct item *x) { x->count = 0; }"),
      "2 'item.count' is written in 'reset' without an atomic operation (changed atomically in line 8)\n");
  EXPECT_EQ(
      plainWrites(add + "void more(struct item *x) { x->count++; }"),
      "2 'item.count' is written in 'more' without an atomic operation (changed atomically in line 8)\n");
  EXPECT_EQ(plainWrites(add + "void reset(struct item *x) { __atomic_store_n(&x->count, 0, 5); }"), "");
  EXPECT_EQ(plainWrites(add + "long look(struct item *x) { return x->count; }"), "");
  // Nobody runs beside it, or who does waits.
  EXPECT_EQ(plainWrites(add + "void item_init(struct item *x) { x->count = 0; }"), "");
  EXPECT_EQ(plainWrites(add + R"(void reset(struct item *x) {
  pthread_mutex_lock(&x->lock);
  x->count = 0;
  pthread_mutex_unlock(&x->lock);
})"),
            "");
  // The file offers both.
  EXPECT_EQ(plainWrites("void add_atomic(struct item *x) { __sync_fetch_and_add(&x->count, 1); }\n"
                        "void add(struct item *x) { x->count++; }"),
            "");
}

TEST(SharedGuesses, AWordThatAPointerLeadsToIsDataAsWell) {
  const std::string take =
      "int take(item_atomic_t *word) { return __sync_bool_compare_and_swap(word, 0, 1); }\n";
  EXPECT_EQ(plainWrites(take + "void leave(item_atomic_t *word) { *word = 0; }"),
            "2 '*item_atomic_t' is written in 'leave' without an atomic operation (changed atomically in "
            "line 8)\n");
  EXPECT_EQ(plainWrites(take + "void leave(item_atomic_t *word) { __sync_lock_release(word); }"), "");
  EXPECT_EQ(plainWrites(take + "void leave(unsigned long *word) { *word = 0; }"), "");
}

TEST(SharedGuesses, ACounterIsAsItsNeighboursAre) {
  const auto with = [](const std::string& step) {
    return plainWrites(
        "struct { long a, b, c, d; } all;\nvoid count(void) {\n"
        "  __sync_fetch_and_add(&all.a, 1);\n  __sync_fetch_and_add(&all.b, 1);\n"
        "  __sync_fetch_and_add(&all.c, 1);\n  " +
        step + "\n}");
  };
  EXPECT_NE(with("all.d++;").find("as it does 3 other members of 'all'"), std::string::npos);
  EXPECT_EQ(with("__sync_fetch_and_add(&all.d, 1);"), "");
  EXPECT_EQ(with("all.d = 1;"), "");
}

TEST(SharedGuesses, AFlagThatIsTestedAndThenSetKeepsNobodyAway) {
  const std::string wait = "  while (busy) usleep(1);\n";
  const auto with = [&](const std::string& begin, const std::string& end = "") {
    return sharedGuessesOf(
        "two threads may do at once",
        "static volatile int busy;\nstatic pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;\n"
        "void load(struct item *x) {\n" +
            begin + "  if (!busy) {\n    busy = 1;\n    work(x);\n    busy = 0;\n  }\n" + end + "}");
  };
  EXPECT_EQ(with("", wait),
            "4 'busy' is tested in 'load' and then set, which two threads may do at once (set in line 12)\n");
  EXPECT_EQ(with(""), "");  // nobody waits for it: it may be of one thread
  EXPECT_EQ(with("  pthread_mutex_lock(&guard);\n", "  pthread_mutex_unlock(&guard);\n" + wait), "");
}

std::string flags(const std::string& more) {
  return sharedGuessesOf("thread that runs", more);
}

/// A thread that runs until it is told to stop by `stop`.
std::string stoppedBy(const std::string& stop, const std::string& loop = "  while (!x->stop) work(x);\n") {
  return flags("static void *run(void *given) {\n  struct item *x = given;\n" + loop +
               "  return 0;\n}\nint item_start(struct item *x) {\n  x->stop = 0;\n"
               "  return pthread_create(&x->thread, 0, run, x);\n}\n" +
               stop);
}

TEST(SharedGuesses, AFlagOfAThreadIsToldOnceForBothSides) {
  EXPECT_EQ(
      stoppedBy("void item_end(struct item *x) {\n  x->stop = 1;\n  pthread_join(x->thread, 0);\n}"),
      "11 'item.stop' is set in 'item_end' and tested by the thread that runs 'run', under no lock and not "
      "atomically (tested in line 10)\n");
  // The thread has ended.
  EXPECT_EQ(stoppedBy("void item_end(struct item *x) {\n  pthread_join(x->thread, 0);\n  x->stop = 0;\n}"),
            "");
  EXPECT_EQ(stoppedBy("void item_end(struct item *x) { __atomic_store_n(&x->stop, 1, 3); }",
                      "  while (!__atomic_load_n(&x->stop, 2)) work(x);\n"),
            "");
  EXPECT_EQ(stoppedBy(R"(void item_end(struct item *x) {
  pthread_mutex_lock(&x->lock);
  x->stop = 1;
  pthread_mutex_unlock(&x->lock);
})",
                      "  pthread_mutex_lock(&x->lock);\n  while (!x->stop) work(x);\n"
                      "  pthread_mutex_unlock(&x->lock);\n"),
            "");
  // The thread has ended: a wrapper has waited for it.
  EXPECT_EQ(stoppedBy("int wait_join_thread(pthread_t t);\nvoid item_end(struct item *x) {\n"
                      "  wait_join_thread(x->thread);\n  x->stop = 0;\n}"),
            "");
  // Of a number that is none by its name, some other way may tell the thread.
  EXPECT_EQ(
      stoppedBy("void item_set(struct item *x) {\n  x->level = 1;\n}", "  while (!x->level) work(x);\n"), "");
  // Both may be of one thread.
  EXPECT_EQ(stoppedBy("", "  while (!x->stop) x->stop = work != 0;\n"), "");
}

TEST(SharedGuesses, AnAtomicOperationBehindAFlagTellsOthersOfIt) {
  EXPECT_EQ(
      stoppedBy("void item_end(struct item *x) {\n  x->stop = 1;\n  __sync_fetch_and_add(&x->count, 1);\n}"),
      "");
}

TEST(SharedGuesses, EachOfManyThreadsHasItsOwnObject) {
  EXPECT_EQ(flags(R"(static void *run(void *given) {
  struct item *x = given;
  while (!x->stop) work(x);
  return 0;
}
int start_all(struct item *all, int n) {
  for (int i = 0; i < n; i++) if (pthread_create(&all[i].thread, 0, run, &all[i])) return 1;
  return 0;
}
void item_reset(struct item *x) { x->stop = 1; })"),
            "");
}

TEST(SharedGuesses, TwoThreadsOfOneObjectNeedALock) {
  const auto with = [](const std::string& write, const std::string& read) {
    return flags("static void *raise(void *given) {\n  struct item *x = given;\n" + write +
                 "  return 0;\n}\nstatic void *print(void *given) {\n  struct item *x = given;\n" + read +
                 "  return 0;\n}\nint main(void) {\n  struct item x = {0};\n  pthread_t a, b;\n"
                 "  if (pthread_create(&a, 0, raise, &x) || pthread_create(&b, 0, print, &x)) return 1;\n"
                 "  pthread_join(a, 0);\n  pthread_join(b, 0);\n  return x.level;\n}\n");
  };
  EXPECT_EQ(with("  x->level++;\n", "  usleep(x->level);\n"),
            "3 'item.level' is written by the thread that runs 'raise' and used by the one that runs "
            "'print', under "
            "no common lock (used in line 15)\n");
  const auto locked = [](const std::string& what) {
    return "  pthread_mutex_lock(&x->lock);\n" + what + "  pthread_mutex_unlock(&x->lock);\n";
  };
  EXPECT_EQ(with(locked("  x->level++;\n"), locked("  usleep(x->level);\n")), "");
  EXPECT_EQ(with("  x->level++;\n", "  usleep(x->running);\n"), "");
  // What is written before the lock may be read behind it.
  EXPECT_EQ(with("  x->level++;\n" + locked("  x->busy = 1;\n"),
                 locked("  while (!x->busy) {}\n") + "  usleep(x->level);\n"),
            "");
}

/// A starter with `before` and `behind` the start of a thread that runs while it is told so.
std::string lateNeeds(const std::string& before, const std::string& behind) {
  return sharedGuessesOf("behind the start", R"(static void *run(void *given) {
  struct item *x = given;
  pthread_mutex_lock(&x->lock);
  while (x->running) work(x);
  pthread_mutex_unlock(&x->lock);
  return 0;
}
int item_start(struct item *x) {
  )" + before + "\n  int error = pthread_create(&x->thread, 0, run, x);\n  " +
                                                 behind + "\n  return error;\n}");
}

TEST(SharedGuesses, AThreadThatNeedsAFlagMustFindItSet) {
  const std::string set = "if (!error) x->running = 1;";
  const std::string lock = "pthread_mutex_lock(&x->lock);", unlock = "pthread_mutex_unlock(&x->lock);";
  EXPECT_EQ(lateNeeds("", lock + set + unlock),
            "11 'item.running' is set in 'item_start' behind the start of 'run', which ends where it is not "
            "set yet "
            "(started in line 17)\n");
  EXPECT_EQ(lateNeeds("x->running = 1;", "if (error) x->running = 0;"), "");
  // The thread waits for the lock.
  EXPECT_EQ(lateNeeds(lock, set + unlock), "");
}

std::string splits(const std::string& body) {
  return sharedGuessesOf("since the test", "int item_start(struct item *x) {\n" + body + "\n}");
}

TEST(SharedGuesses, WhatIsTestedUnderALockIsSetBeforeTheRelease) {
  EXPECT_EQ(splits(R"(  pthread_mutex_lock(&x->lock);
  bool isNew = !x->busy;
  pthread_mutex_unlock(&x->lock);
  if (!isNew) return 0;
  work(x);
  pthread_mutex_lock(&x->lock);
  x->busy = true;
  pthread_mutex_unlock(&x->lock);
  return 1;)"),
            "8 'x->busy' is set in 'item_start' under 'x->lock', which was released since the test of it "
            "(tested in "
            "line 10)\n");
  EXPECT_EQ(splits(R"(  pthread_mutex_lock(&x->lock);
  if (x->busy) {
    pthread_mutex_unlock(&x->lock);
    return 0;
  }
  pthread_mutex_unlock(&x->lock);
  work(x);
  pthread_mutex_lock(&x->lock);
  x->busy = true;
  pthread_mutex_unlock(&x->lock);
  return 1;)"),
            "10 'x->busy' is set in 'item_start' under 'x->lock', which was released since the test of it "
            "(tested in "
            "line 10)\n");
  EXPECT_EQ(splits(R"(  pthread_mutex_lock(&x->lock);
  if (x->busy) {
    pthread_mutex_unlock(&x->lock);
    return 0;
  }
  x->busy = true;
  pthread_mutex_unlock(&x->lock);
  work(x);
  pthread_mutex_lock(&x->lock);
  x->busy = false;
  pthread_mutex_unlock(&x->lock);
  return 1;)"),
            "");
}

TEST(SharedGuesses, WhoTestsMayClaimByOtherData) {
  EXPECT_EQ(splits(R"(  pthread_mutex_lock(&x->lock);
  if (x->busy || x->running) {
    pthread_mutex_unlock(&x->lock);
    return 0;
  }
  x->running = 1;
  pthread_mutex_unlock(&x->lock);
  work(x);
  pthread_mutex_lock(&x->lock);
  x->busy = true;
  pthread_mutex_unlock(&x->lock);
  return 1;)"),
            "");
}

TEST(SharedGuesses, WhoTestsAgainOrHoldsAnotherLockIsNotSplit) {
  const std::string first = R"(  pthread_mutex_lock(&x->lock);
  char *text = x->cache;
  pthread_mutex_unlock(&x->lock);
  if (text) return 1;
  text = make();
  pthread_mutex_lock(&x->lock);
)";
  const std::string last = "  pthread_mutex_unlock(&x->lock);\n  return 1;";
  EXPECT_NE(splits(first + "  x->cache = text;\n" + last), "");
  EXPECT_EQ(splits(first + "  if (!x->cache) x->cache = text;\n" + last), "");
  EXPECT_EQ(
      splits("  static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;\n  pthread_mutex_lock(&all);\n" +
             first + "  x->cache = text;\n  pthread_mutex_unlock(&all);\n" + last),
      "");
  // A number is a measure of something: what is known of it is old, and no claim.
  EXPECT_EQ(splits(R"(  pthread_mutex_lock(&x->lock);
  int last = x->level;
  pthread_mutex_unlock(&x->lock);
  if (last > 5) return 0;
  pthread_mutex_lock(&x->lock);
  x->level = 7;
)" + last),
            "");
}

std::string hooks(const std::string& call, const std::string& more = "") {
  return sharedGuessesOf(
      "what is called there",
      R"(struct line { pthread_mutex_t lock; void (*on_close)(struct line *), (*step)(struct line *); };
void line_lock(struct line *l) { pthread_mutex_lock(&l->lock); }
void line_unlock(struct line *l) { pthread_mutex_unlock(&l->lock); }
static void end(struct line *l) {
)" + call +
          "\n}\nvoid line_close(struct line *l) { end(l); }\n" + more);
}

TEST(SharedGuesses, AFunctionOfTheUserIsCalledWithoutTheLockThatItMayTake) {
  EXPECT_EQ(
      hooks("  pthread_mutex_lock(&l->lock);\n  l->on_close(l);\n  pthread_mutex_unlock(&l->lock);"),
      "6 'line.lock' is held in 'end' where 'line.on_close' is called: what is called there cannot call "
      "'line_lock', which locks it\n");
  EXPECT_EQ(
      hooks("  line_lock(l);\n  l->on_close(l);\n  line_unlock(l);"),
      "6 'line.lock' is held in 'end' where 'line.on_close' is called: what is called there cannot call "
      "'line_lock', which locks it\n");
  EXPECT_EQ(hooks("  line_lock(l);\n  line_unlock(l);\n  l->on_close(l);"), "");
  EXPECT_EQ(hooks("  line_lock(l);\n  l->step(l);\n  line_unlock(l);"),
            "");  // a part of the library, by its name
  // The file's own function knows what is held.
  EXPECT_EQ(hooks("  line_lock(l);\n  l->on_close(l);\n  line_unlock(l);",
                  "static void closed(struct line *l) { (void)l; }\n"
                  "void line_open(struct line *l) { l->on_close = closed; }"),
            "");
  EXPECT_EQ(
      hooks(
          "  line_lock(l);\n  l->on_close(l);\n  line_unlock(l);",
          "void line_begin(struct line *l) {\n  pthread_mutexattr_t kind;\n  pthread_mutexattr_init(&kind);\n"
          "  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);\n"
          "  pthread_mutex_init(&l->lock, &kind);\n}"),
      "");
}

std::string contracts(const std::string& assertion, const std::string& caller) {
  return sharedGuessesOf("is asserted by",
                         "struct pages { pthread_mutex_t lock, dirty; int count; };\n"
                         "void mutex_assert_owner(pthread_mutex_t *lock);\n"
                         "static int dirty(struct pages *p) {\n  " +
                             assertion + "\n  return p->count;\n}\n" + caller);
}

TEST(SharedGuesses, WhatACalleeAssertsItsCallerHas) {
  const std::string assertion = "mutex_assert_owner(&p->dirty);";
  const std::string wrong =
      "int purge(struct pages *p) {\n  mutex_assert_owner(&p->lock);\n  return dirty(p);\n}";
  EXPECT_EQ(contracts(assertion, wrong),
            "9 'pages.dirty' is asserted by 'dirty', and 'purge' calls it with 'pages.lock' held only\n");
  EXPECT_EQ(contracts(assertion,
                      "int purge(struct pages *p) {\n  pthread_mutex_lock(&p->lock);\n  int n = dirty(p);\n"
                      "  pthread_mutex_unlock(&p->lock);\n  return n;\n}"),
            "9 'pages.dirty' is asserted by 'dirty', and 'purge' calls it with 'pages.lock' held only\n");
  EXPECT_EQ(
      contracts(assertion,
                "int purge(struct pages *p) {\n  mutex_assert_owner(&p->dirty);\n  return dirty(p);\n}"),
      "");
  // Its caller has it.
  EXPECT_EQ(
      contracts(
          assertion,
          "static int purge(struct pages *p) {\n  mutex_assert_owner(&p->lock);\n  return dirty(p);\n}\n"
          "int outer(struct pages *p) {\n  mutex_assert_owner(&p->lock);\n  mutex_assert_owner(&p->dirty);\n "
          " return purge(p);\n}"),
      "");
  // Only some calls need it.
  EXPECT_EQ(contracts("if (p->count) mutex_assert_owner(&p->dirty);", wrong), "");
}

}  // namespace
}  // namespace heddle::testing
