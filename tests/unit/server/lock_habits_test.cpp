// Lock habits: under which lock most of a file accesses some data, and where it does not.
#include <gtest/gtest.h>

#include "server/source/call_context.h"
#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kHead = R"(#include <pthread.h>
#include <stdlib.h>
struct pool { pthread_mutex_t lock, other; int waiting; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int running;
void put(struct pool *p) {
  pthread_mutex_lock(&p->lock);
  p->waiting++;
  pthread_mutex_unlock(&p->lock);
}
int take(struct pool *p) {
  pthread_mutex_lock(&p->lock);
  if (p->waiting == 0) {
    pthread_mutex_unlock(&p->lock);
    return 0;
  }
  p->waiting--;
  pthread_mutex_unlock(&p->lock);
  return 1;
}
)";

/// "data: what" of each, without the head's lines.
std::string habitsOf(const std::string& more) {
  std::string text;
  for (const LockHabit& habit : harnessesOf(kHead + more).habits) {
    text += habit.data + ": " + toText(habit) + " (";
    for (const auto& [file, line] : habit.without) text += " " + std::to_string(line - 20);
    text += " )\n";
  }
  return text;
}

TEST(LockHabits, WhoReadsOrWritesWithoutTheLockThatOthersHoldIsTold) {
  EXPECT_EQ(habitsOf("int idle(struct pool *p) { return p->waiting == 0; }\n"),
            "pool.waiting: read without 'pool.lock', which 3 of 4 lines hold ( 1 )\n");
  EXPECT_EQ(habitsOf("void clear(struct pool *p) {\n"
                     "  pthread_mutex_lock(&p->other);\n"
                     "  p->waiting = 0;\n"
                     "  pthread_mutex_unlock(&p->other);\n"
                     "}\n"),
            "pool.waiting: written without 'pool.lock', which 3 of 4 lines hold ( 3 )\n");
}

TEST(LockHabits, WhoHoldsTheLockIsNotTold) {
  // A way out that unlocks before; an unlock behind a label; a helper that is called with the lock held.
  EXPECT_EQ(habitsOf("void clear(struct pool *p) {\n"
                     "  pthread_mutex_lock(&p->lock);\n"
                     "  if (p->waiting < 0) {\n"
                     "    pthread_mutex_unlock(&p->lock);\n"
                     "    return;\n"
                     "  }\n"
                     "  p->waiting = 0;\n"
                     "  if (p->waiting == 1) goto out;\n"
                     "  pthread_mutex_unlock(&p->lock);\n"
                     "  return;\n"
                     "out:\n"
                     "  p->waiting = 2;\n"
                     "  pthread_mutex_unlock(&p->lock);\n"
                     "}\n"
                     "static void drop(struct pool *p) { p->waiting--; }\n"
                     "void drop_one(struct pool *p) {\n"
                     "  pthread_mutex_lock(&p->lock);\n"
                     "  drop(p);\n"
                     "  pthread_mutex_unlock(&p->lock);\n"
                     "}\n"),
            "");
  const std::string asLoop =
      "#define WITH(m) for (int i_ = 0; i_ ? (pthread_mutex_unlock(m), 0)"
      " : (pthread_mutex_lock(m), 1); i_ = 1)\n"
      "void clear(struct pool *p) {\n"
      "  WITH(&p->lock) {\n"
      "    p->waiting = 0;\n"
      "  }\n";
  EXPECT_EQ(habitsOf(asLoop + "}\n"), "");
  EXPECT_EQ(habitsOf(asLoop + "  p->waiting = 1;\n"
                              "}\n"),
            "pool.waiting: written without 'pool.lock', which 4 of 5 lines hold ( 6 )\n");
}

TEST(LockHabits, WhoAssertsTheLockHoldsIt) {
  const std::string asserts = "void mutex_assert_owner(pthread_mutex_t *m);\nvoid grow(struct pool *p) {\n";
  const std::string grow = "  p->waiting++;\n}\n";
  EXPECT_EQ(habitsOf(asserts + "  mutex_assert_owner(&p->lock);\n" + grow), "");
  EXPECT_EQ(habitsOf(asserts + "  mutex_assert_owner(&p->other);\n" + grow),
            "pool.waiting: written without 'pool.lock', which 3 of 4 lines hold ( 4 )\n");
}

TEST(LockHabits, NobodyIsBesideSettingUpAndTakingDown) {
  EXPECT_EQ(habitsOf("void pool_init(struct pool *p) { p->waiting = 0; }\n"
                     "static void empty(struct pool *p) { p->waiting = 0; }\n"
                     "void pool_destroy(struct pool *p) { empty(p); }\n"
                     "struct pool *twin(void) {\n"
                     "  struct pool *p = malloc(sizeof *p);\n"
                     "  p->waiting = 0;\n"
                     "  return p;\n"
                     "}\n"
                     "void end(struct pool *p, pthread_t worker) {\n"
                     "  pthread_join(worker, 0);\n"
                     "  p->waiting = 0;\n"
                     "}\n"
                     "int sum(void) {\n"
                     "  struct pool own;\n"
                     "  own.waiting = 1;\n"
                     "  return own.waiting;\n"
                     "}\n"),
            "");
}

TEST(LockHabits, OneWhoWritesPlainlyWhatOthersUpdateAtomicallyIsTold) {
  const std::string atomically =
      "int a(void) { return __sync_fetch_and_add(&running, 1); }\n"
      "int b(void) { return __atomic_sub_fetch(&running, 1, __ATOMIC_SEQ_CST); }\n"
      "int c(void) { return __atomic_load_n(&running, __ATOMIC_SEQ_CST); }\n";
  EXPECT_EQ(habitsOf(atomically + "void stop(void) { running = 0; }\n"),
            "running: written without an atomic operation, as 3 of 4 lines have ( 4 )\n");
  EXPECT_EQ(habitsOf(atomically + "int look(void) { return running; }\n"), "");
}

TEST(LockHabits, AnAtomicOperationMayBeAssembly) {
  const std::string assembly =
      "static inline void add(int *at) { __asm__ volatile(\"lock incl %0\" : \"+m\"(*at) : : \"memory\"); }\n"
      "void a(void) { add(&running); }\n"
      "void b(void) { add(&running); }\n"
      "void c(void) { add(&running); }\n";
  EXPECT_EQ(habitsOf(assembly + "void stop(void) { running = 0; }\n"),
            "running: written without an atomic operation, as 3 of 4 lines have ( 5 )\n");
}

TEST(LockHabits, WrappersWithoutArgumentsMeanOneLock) {
  const std::string wrapped =
      "static void lock_all(void) { pthread_mutex_lock(&lock); }\n"
      "static void unlock_all(void) { pthread_mutex_unlock(&lock); }\n"
      "void a(void) { lock_all(); running++; unlock_all(); }\n"
      "void b(void) { lock_all(); running--; unlock_all(); }\n"
      "void c(void) { lock_all(); running = 3; unlock_all(); }\n";
  EXPECT_EQ(habitsOf(wrapped + "int look(void) { return running; }\n"),
            "running: read without 'lock', which 3 of 4 lines hold ( 6 )\n");
  EXPECT_EQ(habitsOf(wrapped + "int look(void) { lock_all(); int n = running; unlock_all(); return n; }\n"),
            "");
  // What they lock is in another file.
  std::string elsewhere = wrapped;
  elsewhere.replace(0, elsewhere.find("void a"), "void lock_all(void);\nvoid unlock_all(void);\n");
  EXPECT_EQ(habitsOf(elsewhere + "int look(void) { return running; }\n"),
            "running: read without 'lock_all()', which 3 of 4 lines hold ( 6 )\n");
}

TEST(LockHabits, APartOfAnObjectIsGuardedByTheLockOfTheWhole) {
  const std::string parts =
      "struct stats { int requests; };\n"
      "struct arena { pthread_mutex_t lock; struct stats stats; };\n"
      "void a(struct arena *x) { pthread_mutex_lock(&x->lock); x->stats.requests++;\n"
      "  pthread_mutex_unlock(&x->lock); }\n"
      "void b(struct arena *x) { pthread_mutex_lock(&x->lock); x->stats.requests--;\n"
      "  pthread_mutex_unlock(&x->lock); }\n"
      "void c(struct arena *x) { pthread_mutex_lock(&x->lock); x->stats.requests = 1;\n"
      "  pthread_mutex_unlock(&x->lock); }\n";
  EXPECT_EQ(habitsOf(parts + "void merge(struct arena *x) { x->stats.requests += 2; }\n"),
            "arena.stats.requests: written without 'arena.lock', which 3 of 4 lines hold ( 9 )\n");
  // Those of somebody else are other data.
  EXPECT_EQ(habitsOf(parts + "void sum(struct stats *all) { all->requests += 2; }\n"), "");
}

TEST(LockHabits, ATableOfAddressesForPeopleCallsNothing) {
  const std::string called =
      "static void grow(struct pool *p) { p->waiting += 2; }\n"
      "void more(struct pool *p) {\n"
      "  pthread_mutex_lock(&p->lock);\n"
      "  grow(p);\n"
      "  pthread_mutex_unlock(&p->lock);\n"
      "}\n";
  EXPECT_EQ(habitsOf(called + "struct name { unsigned long at; } names[] = {{(unsigned long)grow}};\n"), "");
  EXPECT_EQ(habitsOf(called + "void (*table[])(struct pool *) = {grow};\n"),
            "pool.waiting: written without 'pool.lock', which 3 of 4 lines hold ( 1 )\n");
}

TEST(LockHabits, FewLinesAreNoHabit) {
  EXPECT_EQ(
      habitsOf("int idle(struct pool *p) {\n  if (p->waiting == 0) return 1;\n  return p->waiting;\n}\n"),
      "");
}

/// Programs of one project have functions of one name, such as of their examples: what one does and another
/// does not made the passes over all calls go on for ever.
TEST(LockHabits, TwoFunctionsOfOneNameAreBoth) {
  SurveyFunction waits, works, caller, other;
  waits.name = works.name = "callback";
  waits.callees = {"pthread_join"};
  caller.name = "run";
  other.name = "main";
  caller.callees = other.callees = {"callback"};
  caller.heldAt["callback"] = {"lock"};
  other.heldAt["callback"] = {};
  Survey survey;
  survey.functions = {waits, works, caller, other};
  const auto contexts = callContextsOf(survey, true);
  EXPECT_EQ(contexts.at("callback").held, std::set<std::string>());
  EXPECT_FALSE(contexts.at("callback").isBeforeOrAfter);
}

}  // namespace
}  // namespace heddle::testing
