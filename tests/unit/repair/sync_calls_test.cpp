// Bugs in how a program uses its own synchronization: the best patch is the one that a person would write,
// and what it leaves has no finding.
#include <tuple>

#include "tests/unit/repair/repaired.h"

namespace heddle::testing {
namespace {

struct Wanted {
  const char* name;
  std::string globals, functions;  // `one` and `two` are what the threads run
  std::string setUp;               // in main, before they are created
  std::string kind;                // of the best patch
  std::string text;                // that it contains
};

std::string programOf(const Wanted& wanted) {
  return "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stddef.h>\n\n" +
         wanted.globals + "\n" + wanted.functions + "\nint main(void) {\n  pthread_t a, b;\n" + wanted.setUp +
         "  pthread_create(&a, NULL, one, NULL);\n  pthread_create(&b, NULL, two, NULL);\n"
         "  pthread_join(a, NULL);\n  pthread_join(b, NULL);\n  return 0;\n}\n";
}

std::string thread(const std::string& name, const std::string& body) {
  return "static void *" + name + "(void *arg) {\n" + body + "  return arg;\n}\n";
}

const std::string kMutex = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
const std::string kCondition = kMutex + "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n";
const std::string kLock = "  pthread_mutex_lock(&m);\n", kUnlock = "  pthread_mutex_unlock(&m);\n";
const std::string kAwaitReady = kLock + "  while (!ready)\n    pthread_cond_wait(&c, &m);\n" + kUnlock;

std::vector<Wanted> all() {
  return {
      {"KeptOnReturn", kMutex + "static int n;\n",
       thread("one", kLock + "  if (n == 0)\n    return NULL;\n  n--;\n" + kUnlock) +
           thread("two", kLock + "  n = 0;\n" + kUnlock),
       "", "release-lock", "  if (n == 0) {\n    pthread_mutex_unlock(&m);\n    return NULL;\n  }\n"},
      {"KeptOnBreak", kMutex + "static int n;\n",
       thread("one", "  for (int i = 0; i < 2; i++) {\n  " + kLock +
                         "    if (n == 0)\n      break;\n    n--;\n  " + kUnlock + "  }\n") +
           thread("two", kLock + "  n = 0;\n" + kUnlock),
       "", "release-lock", "    if (n == 0) {\n      pthread_mutex_unlock(&m);\n      break;\n    }\n"},
      {"KeptToTheEnd", kMutex + "static int n;\n",
       thread("one", kLock + "  n++;\n") + thread("two", kLock + "  n++;\n" + kUnlock), "", "release-lock",
       "  n++;\n  pthread_mutex_unlock(&m);\n  return arg;\n"},
      {"SemaphoreNotPosted", "static sem_t s;\nstatic int n;\n",
       thread("one", "  sem_wait(&s);\n  if (n == 0)\n    return NULL;\n  n--;\n  sem_post(&s);\n") +
           thread("two", "  sem_wait(&s);\n  n = 0;\n  sem_post(&s);\n"),
       "  sem_init(&s, 0, 1);\n", "release-lock", "    sem_post(&s);\n    return NULL;\n"},
      {"ReadLockKept", "static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\nstatic int n;\n",
       thread(
           "one",
           "  pthread_rwlock_rdlock(&l);\n  if (n == 0)\n    return NULL;\n  pthread_rwlock_unlock(&l);\n") +
           thread("two", "  pthread_rwlock_wrlock(&l);\n  n = 0;\n  pthread_rwlock_unlock(&l);\n"),
       "", "release-lock", "    pthread_rwlock_unlock(&l);\n    return NULL;\n"},
      {"NobodySignals", kCondition + "static int ready;\n",
       thread("one", kAwaitReady) + thread("two", kLock + "  ready = 1;\n" + kUnlock), "", "announce-change",
       "  ready = 1;\n  pthread_cond_broadcast(&c);\n"},
      {"NobodySignalsWhatTheWaiterCountsItself", kCondition + "static int came;\n",
       thread("one", kLock + "  came++;\n  while (came < 2) pthread_cond_wait(&c, &m);\n" + kUnlock) +
           thread("two", kLock + "  came++;\n" + kUnlock),
       "", "announce-change", "  came++;\n  pthread_cond_broadcast(&c);\n  pthread_mutex_unlock"},
      {"SignalBeforeTheChange", kCondition + "static int ready;\n",
       thread("one", kAwaitReady) +
           thread("two", "  pthread_cond_signal(&c);\n" + kLock + "  ready = 1;\n" + kUnlock),
       "", "announce-change", "  ready = 1;\n  pthread_cond_broadcast(&c);\n"},
      {"OneSignalForTwo", kCondition + "static int ready;\n",
       thread("one", kAwaitReady) +
           thread("two", kLock + "  ready = 1;\n  pthread_cond_signal(&c);\n" + kUnlock) +
           thread("three", kAwaitReady),
       "  pthread_t third;\n  pthread_create(&third, NULL, three, NULL);\n  pthread_detach(third);\n",
       "stronger-call", "  pthread_cond_broadcast(&c);\n"},
      {"TryNotLookedAt", kMutex + "static int n;\n",
       thread("one", "  pthread_mutex_trylock(&m);\n  n++;\n" + kUnlock) +
           thread("two", kLock + "  n++;\n" + kUnlock),
       "", "stronger-call", "  pthread_mutex_lock(&m);\n  n++;\n"},
      {"WrittenUnderAReadLock", "static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\nstatic int n;\n",
       thread("one", "  pthread_rwlock_rdlock(&l);\n  n = n + 1;\n  pthread_rwlock_unlock(&l);\n") +
           thread("two", "  pthread_rwlock_rdlock(&l);\n  n = n + 1;\n  pthread_rwlock_unlock(&l);\n"),
       "", "stronger-call", "  pthread_rwlock_wrlock(&l);\n  n = n + 1;\n"},
      {"BarrierForOneTooMany", "static pthread_barrier_t b_;\n",
       thread("one", "  pthread_barrier_wait(&b_);\n") + thread("two", "  pthread_barrier_wait(&b_);\n"),
       "  pthread_barrier_init(&b_, NULL, 3);\n", "initial-count", "pthread_barrier_init(&b_, NULL, 2);"},
      {"SemaphoreAdmitsTwo", "static sem_t s;\nstatic int n;\n",
       thread("one", "  sem_wait(&s);\n  n = n + 1;\n  sem_post(&s);\n") +
           thread("two", "  sem_wait(&s);\n  n = n + 1;\n  sem_post(&s);\n"),
       "  sem_init(&s, 0, 2);\n", "initial-count", "sem_init(&s, 0, 1);"},
      {"RingOfMutexes",
       "static pthread_mutex_t f[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\nstatic int "
       "n[2];\n"
       "static void eat(int i) {\n  pthread_mutex_lock(&f[i]);\n  pthread_mutex_lock(&f[(i + 1) % 2]);\n  "
       "n[i]++;\n"
       "  pthread_mutex_unlock(&f[(i + 1) % 2]);\n  pthread_mutex_unlock(&f[i]);\n}\n",
       thread("one", "  eat(0);\n") + thread("two", "  eat(1);\n"), "", "lock-by-address",
       "  pthread_mutex_lock(&f[i] < &f[(i + 1) % 2] ? &f[i] : &f[(i + 1) % 2]);\n"
       "  pthread_mutex_lock(&f[i] < &f[(i + 1) % 2] ? &f[(i + 1) % 2] : &f[i]);\n"},
      {"SomethingBetweenTheLocks",
       "static pthread_mutex_t f[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\nstatic int "
       "n[2];\n"
       "static void eat(int i) {\n  pthread_mutex_lock(&f[i]);\n  n[i]++;\n  pthread_mutex_lock(&f[(i + 1) % "
       "2]);\n"
       "  pthread_mutex_unlock(&f[(i + 1) % 2]);\n  pthread_mutex_unlock(&f[i]);\n}\n",
       thread("one", "  eat(0);\n") + thread("two", "  eat(1);\n"), "", "critical-sections",
       "  pthread_mutex_lock(&f_mutex);\n  pthread_mutex_lock(&f[i]);\n"},
      {"HighestIsLoadedAndStored", "#include <stdatomic.h>\nstatic atomic_int highest;\n",
       "static void see(int now) {\n  if (now > atomic_load(&highest))\n    atomic_store(&highest, "
       "now);\n}\n" +
           thread("one", "  see(1);\n  assert(atomic_load(&highest) >= 1);\n") +
           thread("two", "  see(2);\n  assert(atomic_load(&highest) >= 2);\n"),
       "", "atomic-update",
       "  int seen = atomic_load(&highest);\n  while (now > seen && !atomic_compare_exchange_weak(&highest, "
       "&seen, now))\n    ;\n"},
      {"DecidedByASecondRead",
       "#include <stdatomic.h>\nstatic atomic_int owners = 2;\nstatic atomic_int freed;\n",
       "static void put(void) {\n  atomic_fetch_sub(&owners, 1);\n  if (atomic_load(&owners) == 0)\n"
       "    assert(atomic_fetch_add(&freed, 1) == 0);\n}\n" +
           thread("one", "  put();\n") + thread("two", "  put();\n"),
       "", "atomic-update", "put(void) {\n  if (atomic_fetch_sub(&owners, 1) == 1)\n"},
      {"ReadLockUpgraded", "static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\nstatic int n;\n",
       "static void count(void) {\n  pthread_rwlock_rdlock(&l);\n  if (n == 0) {\n    "
       "pthread_rwlock_wrlock(&l);\n    n++;\n  }\n  pthread_rwlock_unlock(&l);\n}\n" +
           thread("one", "  count();\n") + thread("two", "  count();\n"),
       "", "release-first", "    pthread_rwlock_unlock(&l);\n    pthread_rwlock_wrlock(&l);\n"},
      {"BarrierForASumOfThreads", "#define WORKERS 2\nstatic pthread_barrier_t b_;\n",
       thread("one", "  pthread_barrier_wait(&b_);\n") + thread("two", "  pthread_barrier_wait(&b_);\n"),
       "  pthread_barrier_init(&b_, NULL, WORKERS + 1);\n", "initial-count",
       "pthread_barrier_init(&b_, NULL, WORKERS);"},
      {"NoBarrierAtAll", "static int part[2];\n",
       "static void step(long i) {\n  part[i] = 1;\n  assert(part[1 - i] == 1);\n}\n" +
           thread("one", "  step(0);\n") + thread("two", "  step(1);\n"),
       "", "signal-wait", "part_done < 2"},
      {"ReadBeforeTheReadLock",
       "static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\nstatic int size = 1;\nstatic int a_[2];\n",
       thread("one",
              "  int none = 0;\n  int last = size - 1;\n  none = 1;\n  pthread_rwlock_rdlock(&l);\n"
              "  assert(a_[last] != none);\n  pthread_rwlock_unlock(&l);\n") +
           thread("two", "  pthread_rwlock_wrlock(&l);\n  size = 2;\n  pthread_rwlock_unlock(&l);\n"),
       "", "move-into-section", "  none = 1;\n  pthread_rwlock_rdlock(&l);\n  int last = size - 1;\n"},
      {"UsedAfterItWasGivenBack",
       kMutex +
           "struct slot {\n  int used, data;\n};\nstatic struct slot slot;\n"
           "static struct slot *get(void) {\n" +
           kLock + "  struct slot *s = slot.used ? NULL : &slot;\n  slot.used = 1;\n" + kUnlock +
           "  return s;\n}\nstatic void put(struct slot *s) {\n" + kLock + "  s->used = 0;\n" + kUnlock +
           "}\nstatic void work(int n) {\n  struct slot *s = get();\n  if (s == NULL) return;\n  s->data = "
           "n;\n"
           "  put(s);\n  int data = s->data;\n  assert(data == n);\n}\n",
       thread("one", "  work(1);\n") + thread("two", "  work(2);\n"), "", "use-before-call",
       "  int data = s->data;\n  put(s);\n"},
      {"SignalsWhatTheWaiterTakesAway",
       kCondition + "struct request {\n  int done;\n  pthread_cond_t answered;\n};\n"
                    "static struct request *asked;\n",
       thread("one", "  struct request r = {0};\n  pthread_cond_init(&r.answered, NULL);\n" + kLock +
                         "  asked = &r;\n  pthread_cond_signal(&c);\n  while (!r.done)\n"
                         "    pthread_cond_wait(&r.answered, &m);\n" +
                         kUnlock + "  pthread_cond_destroy(&r.answered);\n") +
           thread("two", kLock +
                             "  while (!asked)\n    pthread_cond_wait(&c, &m);\n"
                             "  struct request *r = asked;\n  r->done = 1;\n" +
                             kUnlock + "  pthread_cond_signal(&r->answered);\n"),
       "", "critical-sections", "  r->done = 1;\n  pthread_cond_signal(&r->answered);\n" + kUnlock},
      {"WaitsForTheListAlone",
       kMutex + "static struct {\n  pthread_mutex_t m;\n  pthread_cond_t idle;\n  int queued, running;\n} "
                "pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 1, 0};\nstatic int done;\n",
       thread("one",
              "  pthread_mutex_lock(&pool.m);\n  pool.queued = 0;\n  pool.running++;\n"
              "  pthread_mutex_unlock(&pool.m);\n" +
                  kLock + "  done = 1;\n" + kUnlock +
                  "  pthread_mutex_lock(&pool.m);\n  pool.running--;\n"
                  "  pthread_cond_broadcast(&pool.idle);\n  pthread_mutex_unlock(&pool.m);\n") +
           thread("two",
                  "  pthread_mutex_lock(&pool.m);\n  while (pool.queued > 0)\n"
                  "    pthread_cond_wait(&pool.idle, &pool.m);\n  pthread_mutex_unlock(&pool.m);\n" +
                      kLock + "  assert(done == 1);\n" + kUnlock),
       "", "wait-for-more", "  while (pool.queued > 0 || pool.running)\n"},
      {"WaitsForASemaphoreWithTheLockThatItsPostNeeds", kMutex + "static sem_t filled;\nstatic int n;\n",
       thread("one", kLock + "  sem_wait(&filled);\n  n--;\n" + kUnlock) +
           thread("two", kLock + "  n++;\n" + kUnlock + "  sem_post(&filled);\n"),
       "  sem_init(&filled, 0, 0);\n", "wait-outside", "  sem_wait(&filled);\n" + kLock + "  n--;\n"},
      {"FlagBeforeTheDataWithoutLocks",
       "#include <stdatomic.h>\nstatic atomic_int ready;\nstatic int data;\n",
       thread("one", "  atomic_store(&ready, 1);\n  data = 7;\n") +
           thread("two", "  if (atomic_load(&ready))\n    assert(data == 7);\n"),
       "", "publish-last", "  data = 7;\n  atomic_store(&ready, 1);\n"},
      {"WrittenInThePhaseInWhichOthersRead", "static pthread_barrier_t b_;\nstatic int cell[2] = {1, 1};\n",
       "static void step(int i) {\n  int sum = cell[0] + cell[1];\n  cell[i] = sum;\n"
       "  pthread_barrier_wait(&b_);\n  assert(cell[i] == 2);\n}\n" +
           thread("one", "  step(0);\n") + thread("two", "  step(1);\n"),
       "  pthread_barrier_init(&b_, NULL, 2);\n", "barrier-between",
       "  pthread_barrier_wait(&b_);\n  cell[i] = sum;\n"},
      {"DoublyCheckedWithoutAtomics", kMutex + "static int *made, value;\n",
       "static int get(void) {\n  if (made == NULL) {\n  " + kLock +
           "    if (made == NULL) {\n      value = 1;\n      made = &value;\n    }\n  " + kUnlock +
           "  }\n  return *made;\n}\n" + thread("one", "  assert(get() == 1);\n") +
           thread("two", "  assert(get() == 1);\n"),
       "", "critical-sections", kLock + "  if (made == NULL) {\n    value = 1;\n    made = &value;\n  }\n"},
      {"CountedAfterItWasHandedOver",
       kCondition +
           "struct job {\n  int cost;\n};\nstatic struct job job = {1}, *queued;\nstatic pthread_mutex_t g = "
           "PTHREAD_MUTEX_INITIALIZER;\nstatic int pending;\n"
           "static void put(struct job *j) {\n" +
           kLock + "  queued = j;\n  pthread_cond_signal(&c);\n" + kUnlock +
           "}\nstatic void submit(struct job *j) {\n  put(j);\n  pthread_mutex_lock(&g);\n  pending++;\n"
           "  pthread_mutex_unlock(&g);\n}\n",
       thread("one", "  submit(&job);\n") +
           thread("two", kLock + "  while (!queued)\n    pthread_cond_wait(&c, &m);\n" + kUnlock +
                             "  pthread_mutex_lock(&g);\n  assert(pending > 0);\n  pending--;\n"
                             "  pthread_mutex_unlock(&g);\n"),
       "", "use-before-call", "  pending++;\n  pthread_mutex_unlock(&g);\n  put(j);\n"},
      {"OneTextForAllThreads",
       "static char *digit(int n) {\n  static char text[2];\n  text[0] = (char)('0' + n);\n  return "
       "text;\n}\n",
       thread("one", "  assert(digit(1)[0] == '1');\n") + thread("two", "  assert(digit(2)[0] == '2');\n"),
       "", "thread-local", "  static _Thread_local char text[2];\n"},
      {"DecidedByWhatAGetterSaw", kMutex + "static struct { int used; } q;\n",
       "static int used(void) {\n" + kLock + "  int now = q.used;\n" + kUnlock + "  return now;\n}\n" +
           "static void add(int n) {\n  if (used() + n > 3)\n    return;\n" + kLock + "  q.used += n;\n" +
           kUnlock + "  assert(used() <= 3);\n}\n" + thread("one", "  add(2);\n") +
           thread("two", "  add(2);\n"),
       "", "critical-sections", kLock + "  if (q.used + n > 3) {\n"},
      {"TwoInOneDeclaration", "static int done, other;\n",
       thread("one", "  other = 1;\n  done = 1;\n") + thread("two", "  while (!done) {\n  }\n"), "", "atomic",
       "static int other;\nstatic _Atomic int done;\n"},
  };
}

class SyncCalls : public ::testing::TestWithParam<Wanted> {};

TEST_P(SyncCalls, AreMendedAsAPersonWould) {
  const Snapshot snapshot = snapshotOf(programOf(GetParam()));
  const RepairResult result = repairsOf(snapshot);
  std::string rejected;
  for (const RejectedPatch& one : result.rejected) rejected += one.title + ": " + one.reason + "\n";
  ASSERT_FALSE(result.patches.empty()) << snapshot.text << rejected;
  const Patch& best = result.patches.front();
  EXPECT_EQ(best.repair.kind, GetParam().kind) << best.repair.title << "\n" << rejected;
  EXPECT_EQ(best.repair.status, RepairStatus::Verified);
  EXPECT_TRUE(best.after.findings.empty());
  const std::string& text = best.texts.at(snapshot.path);
  EXPECT_NE(text.find(GetParam().text), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(All, SyncCalls, ::testing::ValuesIn(all()),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(SyncCalls, WhoLooksAtTheResultOfATryKeepsIt) {
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::StrongerCall;
  const std::string text =
      "#include <pthread.h>\n\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\nint work(void) {\n"
      "  if (pthread_mutex_trylock(&m) != 0) return 0;\n  pthread_mutex_unlock(&m);\n  return 1;\n}\n\n"
      "int main(void) { return work(); }\n";
  const Snapshot snapshot = snapshotOf(text);
  plan.regions = {{{{snapshot.path, 6, 7, "work"}, AccessKind::Lock, "m", "main"}}};
  plan.objects = {"m"};
  EXPECT_EQ(realize(snapshot, plan, {}).problem,
            "the program looks at the result of 'pthread_mutex_trylock'");
}

/// Why the read at `line`, `column` of a function `work` is not moved or waited for.
std::string whyNot(RepairPlan::Kind kind, const std::string& globals, const std::string& work, uint32_t line,
                   uint32_t column) {
  RepairPlan plan;
  plan.kind = kind;
  const Snapshot snapshot = snapshotOf("#include <pthread.h>\n" + globals + "void work(void) {\n" + work +
                                       "}\nint main(void) { work(); return 0; }\n");
  plan.regions = {{{{snapshot.path, line, column, "work"}, AccessKind::Read, "x", "main"}}};
  plan.objects = {"x"};
  return realize(snapshot, plan, {}).problem;
}

TEST(SyncCalls, WhatTheLockItselfNeedsStaysBeforeIt) {
  const std::string globals = "struct s { pthread_mutex_t m; int n; } *x;\n";
  EXPECT_EQ(whyNot(RepairPlan::Kind::MoveIntoSection, globals,
                   "  struct s *now = x;\n  pthread_mutex_lock(&now->m);\n  now->n++;\n"
                   "  pthread_mutex_unlock(&now->m);\n",
                   4, 19),
            "no lock is acquired right behind the access");
}

TEST(SyncCalls, ACallThatGetsAnotherObjectStaysBeforeTheUse) {
  const std::string globals = "struct s { int n; };\nvoid put(struct s *s) { (void)s; }\n";
  EXPECT_EQ(whyNot(RepairPlan::Kind::UseBeforeCall, globals,
                   "  struct s one = {0}, two = {0}, *x = &one, *y = &two;\n  put(y);\n  x->n++;\n", 6, 6),
            "no call right before the access gives its object away");
}

TEST(SyncCalls, AWaitAsksForNothingThatIsOnlyCountedUp) {
  const std::string globals =
      "struct s { pthread_mutex_t m; pthread_cond_t c; int x, sum; } s;\n"
      "void put(void) { s.sum++; pthread_cond_signal(&s.c); }\n";
  EXPECT_EQ(whyNot(RepairPlan::Kind::WaitForMore, globals,
                   "  pthread_mutex_lock(&s.m);\n  while (s.x == 0) pthread_cond_wait(&s.c, &s.m);\n"
                   "  pthread_mutex_unlock(&s.m);\n",
                   6, 12),
            "who signals counts nothing up and down that the wait does not ask for");
}

}  // namespace
}  // namespace heddle::testing
