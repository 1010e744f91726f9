// Generated harnesses: what a file without a main offers, which C text runs it, what is said of its findings.
#include <gtest/gtest.h>

#include <algorithm>

#include "server/driver/check.h"
#include "server/source/harness.h"
#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kQueue = R"(#include <pthread.h>
#include <stdlib.h>
struct queue { pthread_mutex_t lock; int count; int *items; };
int queue_init(struct queue *q, int capacity) {
  pthread_mutex_init(&q->lock, 0);
  q->count = 0;
  q->items = calloc((size_t)capacity, sizeof *q->items);
  return 0;
}
void queue_destroy(struct queue *q) { free(q->items); pthread_mutex_destroy(&q->lock); }
void queue_push(struct queue *q, int item) {
  pthread_mutex_lock(&q->lock);
  if (q->count < 2) q->items[q->count++] = item;
  pthread_mutex_unlock(&q->lock);
}
void queue_reset(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  q->count = 0;
  pthread_mutex_unlock(&q->lock);
}
int queue_length(const struct queue *q) { return q->count; }
static int unused(struct queue *q) { return q->count; }
int main_like(void) { return unused(0); }
)";

TEST(GeneratedHarness, ObjectsAreSetUpByTheirInitializer) {
  const HarnessPlan plan = harnessesOf(kQueue);
  EXPECT_EQ(plan.problem, "");
  EXPECT_FALSE(plan.hasEntry);
  const GeneratedHarness* harness = harnessNamed(plan, "queue_push || queue_reset");
  ASSERT_NE(harness, nullptr);
  EXPECT_TRUE(harness->isCertain);
  EXPECT_FALSE(harness->mayBlock);
  EXPECT_NE(harness->text.find("queue_init(&heddle_object1, 2) < 0"), std::string::npos) << harness->text;
  EXPECT_NE(harness->text.find("queue_destroy(&heddle_object1);"), std::string::npos);
  ASSERT_EQ(harness->assumed.size(), 2u);
  EXPECT_EQ(harness->assumed[0], "the object was set up by queue_init(&heddle_object1, 2)");
  EXPECT_EQ(harness->assumed[1], "'queue_push' and 'queue_reset' may be called side by side, on one object");
}

TEST(GeneratedHarness, CallsThatShareDataUnderDifferentLocksComeFirst) {
  const HarnessPlan plan = harnessesOf(kQueue);
  // Two readers have nothing to disagree about, and static functions are called by others only.
  EXPECT_EQ(harnessNamed(plan, "queue_length || queue_length"), nullptr);
  EXPECT_EQ(harnessNamed(plan, "queue_push || unused"), nullptr);
  const GeneratedHarness* locked = harnessNamed(plan, "queue_push || queue_push");
  const GeneratedHarness* unlocked = harnessNamed(plan, "queue_push || queue_length");
  ASSERT_NE(locked, nullptr);
  ASSERT_NE(unlocked, nullptr);
  EXPECT_FALSE(unlocked->isCertain);  // nobody says that it may be called beside others
}

TEST(GeneratedHarness, ACorrectFileHasNoErrorAndAnUnlockedReaderIsPossible) {
  const Report locked = exploredIn(kQueue, "queue_push || queue_reset");
  EXPECT_EQ(locked.verdict, Verdict::VerifiedWithinBounds) << locked.problem;
  EXPECT_TRUE(locked.findings.empty());
  EXPECT_TRUE(locked.warnings.empty());
  EXPECT_EQ(locked.harness, "queue_push || queue_reset");
  ASSERT_TRUE(locked.reach);
  EXPECT_EQ(locked.reach->threads.size(), 3u);

  const Report unlocked = exploredIn(kQueue, "queue_push || queue_length");
  EXPECT_TRUE(unlocked.findings.empty());
  EXPECT_EQ(unlocked.verdict, Verdict::Incomplete);  // and not green
  ASSERT_EQ(unlocked.warnings.size(), 1u);
  const Finding& race = unlocked.warnings.front();
  EXPECT_EQ(race.kind, Property::Race);
  EXPECT_TRUE(race.possible);
  EXPECT_EQ(race.assumes.back(), "'queue_push' and 'queue_length' may be called side by side, on one object");
}

TEST(GeneratedHarness, AForgottenLockIsAnErrorThatReplays) {
  std::string text = kQueue;
  const std::string body = "  pthread_mutex_lock(&q->lock);\n  q->count = 0;\n";
  // The reset locks, but too late.
  text.replace(text.find(body), body.size(), "  q->count = 0;\n  pthread_mutex_lock(&q->lock);\n");
  const Report report = exploredIn(text, "queue_push || queue_reset");
  EXPECT_EQ(report.verdict, Verdict::Violated);
  ASSERT_FALSE(report.findings.empty());
  for (const Finding& finding : report.findings) {
    EXPECT_EQ(finding.kind, Property::Race);
    EXPECT_FALSE(finding.possible);
  }
  // Places are those of the text that the user knows.
  const size_t lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  for (const Step& step : report.findings[0].steps) EXPECT_LE(step.place.line, lines);
  Options options;
  options.harness = report.harness;
  const ReplayResult again =
      pipelineEngine().replay(harnessSnapshot(text), options, report.findings[0].schedule, Budget());
  EXPECT_TRUE(again.ok) << again.error;
  EXPECT_FALSE(again.failures.empty());
}

TEST(GeneratedHarness, WhatTakesAnObjectDownMayNeedOthers) {
  std::string text = kQueue;
  const std::string end = "void queue_destroy(struct queue *q) {";
  text.replace(text.find(end), end.size(),
               "struct log { int lines; };\nstruct list { int length; };\n"
               "void queue_destroy(struct queue *q, struct log *log, struct list *list) {\n"
               "  log->lines += list->length;\n");
  const HarnessPlan plan = harnessesOf(text);
  const GeneratedHarness* harness = harnessNamed(plan, "queue_push || queue_reset");
  ASSERT_NE(harness, nullptr);
  EXPECT_NE(harness->text.find("  queue_destroy(&heddle_object1, "), std::string::npos) << harness->text;
  EXPECT_EQ(harness->text.find("queue_destroy("), harness->text.rfind("queue_destroy("));
}

TEST(GeneratedHarness, ARaceInWhichNobodyHoldsALockIsOnlyPossible) {
  // Both lock further down: whether they may be called side by side before that is for the user to say.
  std::string text = kQueue;
  const std::string reset = "  pthread_mutex_lock(&q->lock);\n  q->count = 0;\n";
  text.replace(text.find(reset), reset.size(), "  q->last = 0;\n" + reset);
  text.replace(text.find("struct queue { "), 15, "struct queue { int last; ");
  const Report report = exploredIn(text, "queue_reset || queue_reset");
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.verdict, Verdict::Incomplete);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0].kind, Property::Race);
  EXPECT_EQ(report.warnings[0].assumes.back(), "callers hold no lock of their own");
}

TEST(GeneratedHarness, AFailureOfOneCallAloneIsOnlyPossible) {
  // Nothing was put in before: whether that may be is for the user to say.
  std::string text = "#include <assert.h>\n" + std::string(kQueue);
  const std::string reset = "  pthread_mutex_lock(&q->lock);\n  q->count = 0;\n";
  text.replace(text.find(reset), reset.size(),
               "  pthread_mutex_lock(&q->lock);\n  assert(q->count > 0);\n  q->count = 0;\n");
  const Report report = exploredIn(text, "queue_push || queue_reset");
  EXPECT_TRUE(report.findings.empty());
  const bool isPossible =
      std::any_of(report.warnings.begin(), report.warnings.end(), [](const Finding& finding) {
        return finding.kind == Property::Assert &&
               finding.assumes.back() == "the call may be made in that state";
      });
  EXPECT_TRUE(isPossible);
}

TEST(GeneratedHarness, AFailureOfTheSetUpAloneIsOnlyPossible) {
  // Whether queue_init may be called like that is a guess: here it wants a table that nobody has set.
  std::string text = kQueue;
  text.replace(text.find("struct queue { "), 15, "int *table;\nstruct queue { ");
  text.replace(text.find("  q->count = 0;\n"), 16, "  q->count = *table;\n");
  const Report report = exploredIn(text, "queue_push || queue_reset");
  EXPECT_EQ(report.verdict, Verdict::Incomplete);
  EXPECT_TRUE(report.findings.empty());
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_EQ(report.warnings.front().kind, Property::Memory);
  EXPECT_EQ(report.warnings.front().assumes.back(), "objects are set up like that");
  EXPECT_EQ(report.properties.at(Property::Race), Verdict::Incomplete) << "no thread was started";
}

TEST(GeneratedHarness, AFailureOfTheTakeDownThatTheCallsHaveNoPartInIsOnlyPossible) {
  std::string text = kQueue;
  text.replace(text.find("struct queue { "), 15, "int *table;\nstruct queue { ");
  text.replace(text.find("{ free(q->items);"), 17, "{ free(q->items); *table = 1;");
  const Report report = exploredIn(text, "queue_push || queue_reset");
  EXPECT_TRUE(report.findings.empty());
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_EQ(report.warnings.front().assumes.back(), "objects are set up like that");
}

TEST(GeneratedHarness, ALockThatAnotherFunctionReleasesMayBeLeft) {
  std::string text = kQueue;
  text +=
      "void queue_enter(struct queue *q) { pthread_mutex_lock(&q->lock); q->count = 1; }\n"
      "void queue_leave(struct queue *q) { q->count = 0; pthread_mutex_unlock(&q->lock); }\n";
  const auto isDeadlock = [](const Finding& finding) { return finding.kind == Property::Deadlock; };
  const Report pair = exploredIn(text, "queue_reset || queue_enter");
  EXPECT_TRUE(std::none_of(pair.findings.begin(), pair.findings.end(), isDeadlock));
  const auto possible = std::find_if(pair.warnings.begin(), pair.warnings.end(), isDeadlock);
  ASSERT_NE(possible, pair.warnings.end()) << pair.problem;
  EXPECT_EQ(possible->assumes.back(), "nobody releases what a call before left locked");
  // A function that forgets its unlock on one way is wrong whoever calls it.
  std::string wrong = text;
  const std::string end = "  q->count = 0;\n  pthread_mutex_unlock";
  wrong.replace(wrong.find(end), end.size(), "  if (!q->count) return;\n  pthread_mutex_unlock");
  const Report forgotten = exploredIn(wrong, "queue_push || queue_reset");
  EXPECT_TRUE(std::any_of(forgotten.findings.begin(), forgotten.findings.end(), isDeadlock))
      << forgotten.problem;
}

TEST(GeneratedHarness, ATakeDownThatWaitsForOtherCallsIsOnlyPossible) {
  std::string text = kQueue;
  text.replace(text.find("int count;"), 10, "pthread_cond_t empty; int count;");
  text.replace(text.find("{ free(q->items);"), 17,
               "{ pthread_mutex_lock(&q->lock); while (q->count) pthread_cond_wait(&q->empty, &q->lock); "
               "pthread_mutex_unlock(&q->lock); free(q->items);");
  const Report report = exploredIn(text, "queue_push || queue_push");
  EXPECT_TRUE(report.findings.empty()) << report.findings.front().message;
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_EQ(report.warnings.front().kind, Property::Deadlock);
  EXPECT_EQ(report.warnings.front().assumes.back(), "nobody else wakes who waits there");
}

TEST(GeneratedHarness, ObjectsWithoutInitializerHaveAnyContentAndOnlyPossibleFindings) {
  const char* text = R"(#include <pthread.h>
struct node { struct node *next; int value; };
struct list { pthread_mutex_t lock; struct node *head; int length; };
int list_sum(struct list *l) {
  int sum = 0;
  pthread_mutex_lock(&l->lock);
  for (struct node *n = l->head; n; n = n->next) sum += n->value;
  pthread_mutex_unlock(&l->lock);
  return sum;
}
void list_pop(struct list *l) {
  pthread_mutex_lock(&l->lock);
  l->head = l->head->next;
  l->length--;
  pthread_mutex_unlock(&l->lock);
}
)";
  const HarnessPlan plan = harnessesOf(text);
  const GeneratedHarness* harness = harnessNamed(plan, "list_sum || list_pop");
  ASSERT_NE(harness, nullptr);
  EXPECT_FALSE(harness->isCertain);
  const Report report = exploredIn(text, "list_sum || list_pop");
  EXPECT_TRUE(report.findings.empty());
  // An empty list is one of its states: whether it can be is for the user to say.
  const bool hasNull = std::any_of(
      report.warnings.begin(), report.warnings.end(),
      [](const Finding& finding) { return finding.kind == Property::Memory && finding.possible; });
  EXPECT_TRUE(hasNull);
  EXPECT_NE(report.verdict, Verdict::Verified);
  EXPECT_NE(report.verdict, Verdict::VerifiedWithinBounds);
}

TEST(GeneratedHarness, AnObjectWithThreadsOfItsOwnIsUsedByOneThread) {
  const char* text = R"(#include <pthread.h>
#include <stdlib.h>
typedef struct pool { pthread_t worker; pthread_mutex_t lock; int stop; int done; } pool;
static void *work(void *p) {
  pool *self = p;
  self->done = 1;
  pthread_mutex_lock(&self->lock);
  pthread_mutex_unlock(&self->lock);
  return 0;
}
pool *pool_create(int threads) {
  pool *made = calloc(1, sizeof *made);
  (void)threads;
  pthread_mutex_init(&made->lock, 0);
  pthread_create(&made->worker, 0, work, made);
  return made;
}
int pool_done(pool *p) { return p->done; }
void pool_free(pool *p) { pthread_join(p->worker, 0); pthread_mutex_destroy(&p->lock); free(p); }
)";
  const HarnessPlan plan = harnessesOf(text);
  ASSERT_FALSE(plan.harnesses.empty());
  const GeneratedHarness* harness = harnessNamed(plan, "pool_create, pool_done, pool_free");
  ASSERT_NE(harness, nullptr);
  EXPECT_TRUE(harness->isCertain);
  const Report report = exploredIn(text, harness->title);
  EXPECT_EQ(report.verdict, Verdict::Violated);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, Property::Race);
  const Report alone = exploredIn(text, "pool_create, pool_free");
  EXPECT_EQ(alone.verdict, Verdict::VerifiedWithinBounds) << alone.problem;
}

TEST(GeneratedHarness, WhatTheSetUpAloneFailsAtIsOnlyPossible) {
  const std::string text =
      "#include <pthread.h>\n#include <stdlib.h>\n"
      "unsigned workers;\n"
      "struct pool { pthread_t thread; pthread_mutex_t lock; unsigned share; };\n"
      "static void *work(void *given) {\n"
      "  struct pool *p = given;\n"
      "  pthread_mutex_lock(&p->lock);\n"
      "  pthread_mutex_unlock(&p->lock);\n"
      "  return NULL;\n"
      "}\n"
      "struct pool *pool_create(void) {\n"
      "  struct pool *p = calloc(1, sizeof *p);\n"
      "  p->share = 100 / workers;\n"
      "  pthread_mutex_init(&p->lock, NULL);\n"
      "  pthread_create(&p->thread, NULL, work, p);\n"
      "  return p;\n"
      "}\n"
      "unsigned pool_share(const struct pool *p) { return p->share; }\n"
      "void pool_destroy(struct pool *p) { pthread_join(p->thread, NULL); free(p); }\n";
  const Report report = exploredIn(text, "pool_create, pool_destroy");
  EXPECT_TRUE(report.findings.empty());
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  EXPECT_EQ(report.warnings.front().message, "division by zero");
  EXPECT_EQ(report.warnings.front().assumes.back(), "objects are set up like that");
}

TEST(GeneratedHarness, ThreeCallsThatHaveToDoWithEachOtherRunSideBySide) {
  const char* text = R"(#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stage;
static void to(int from, int next) {
  pthread_mutex_lock(&lock);
  if (stage == from) stage = next;
  pthread_mutex_unlock(&lock);
}
void first(void) { to(0, 1); }
void second(void) { to(1, 2); }
void third(void) {
  pthread_mutex_lock(&lock);
  int *gone = 0;
  if (stage == 2) *gone = 1;
  pthread_mutex_unlock(&lock);
}
)";
  // Two calls never come there.
  EXPECT_TRUE(exploredIn(text, "first || third").findings.empty());
  EXPECT_TRUE(exploredIn(text, "second || third").findings.empty());
  const Report report = exploredIn(text, "first || second || third");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, Property::Memory);
}

TEST(GeneratedHarness, AThreadFunctionOfAnotherFileGetsWhatItTakesItsArgumentFor) {
  const std::string text = std::string(kQueue) + R"(
void *drain(void *argument) {
  struct queue *q = argument;
  pthread_mutex_lock(&q->lock);
  q->count = 0;
  pthread_mutex_unlock(&q->lock);
  return 0;
}
)";
  const HarnessPlan plan = harnessesOf(text);
  const GeneratedHarness* harness = harnessNamed(plan, "queue_push || drain");
  ASSERT_NE(harness, nullptr);
  // How often it may run is not known.
  EXPECT_FALSE(harness->isCertain);
  EXPECT_NE(harness->text.find("drain(&heddle_object"), std::string::npos) << harness->text;
}

TEST(GeneratedHarness, AClockIsNoLock) {
  const HarnessPlan plan = harnessesOf(R"(#include <time.h>
static long total;
void start(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); total = t.tv_nsec; }
long elapsed(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_nsec - total; }
)");
  EXPECT_TRUE(std::all_of(plan.harnesses.begin(), plan.harnesses.end(), [](const GeneratedHarness& harness) {
    return harness.isOptional || harness.isAlone;
  }));
}

TEST(GeneratedHarness, AThreadWithoutLocksRunsBesideWhatTouchesItsData) {
  const std::string text = R"(#include <pthread.h>
static int total, other;
static void *work(void *unused) { total++; return unused; }
void start(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_detach(t); }
int get(void) { return total; }
int rest(void) { return other++; }
)";
  const HarnessPlan plan = harnessesOf(text);
  EXPECT_NE(harnessNamed(plan, "work || get"), nullptr);
  EXPECT_NE(harnessNamed(plan, "work || work"), nullptr);
  EXPECT_EQ(harnessNamed(plan, "rest || rest"), nullptr);
  const Report report = exploredIn(text, "work || get");
  EXPECT_TRUE(report.findings.empty());  // whether they are side by side, the file does not say
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  EXPECT_EQ(report.warnings.front().kind, Property::Race);
}

TEST(GeneratedHarness, AnObjectOfAFunctionElsewhereMayBeLarger) {
  const std::string text =
      "#include <stdlib.h>\n#include <string.h>\nvoid *my_alloc(unsigned long size);\n"
      "int main(void) { char *p = my_alloc(30); p[40] = 1; return 0; }\n";
  const Report unknown = exploredIn(text, "");
  EXPECT_TRUE(unknown.findings.empty());
  ASSERT_EQ(unknown.warnings.size(), 1u) << unknown.problem;
  EXPECT_EQ(unknown.warnings.front().kind, Property::Memory);
  std::string known = text;
  known.replace(known.find("my_alloc(30)"), 12, "malloc(30)");
  EXPECT_EQ(exploredIn(known, "").findings.size(), 1u);
}

TEST(GeneratedHarness, AFileThatNobodyRunsInThreadsHasNone) {
  const HarnessPlan plan = harnessesOf("int twice(int x) { return 2 * x; }");
  ASSERT_EQ(plan.harnesses.size(), 1u) << "one call alone";
  EXPECT_TRUE(plan.harnesses.front().isAlone);
  EXPECT_TRUE(harnessesOf(std::string(kQueue) + "int main(void) { return 0; }").hasEntry);
  EXPECT_FALSE(harnessesOf("int f(").problem.empty());
}

TEST(GeneratedHarness, WhatCannotBeCalledIsToldWithTheReason) {
  const HarnessPlan plan = harnessesOf(R"(#include <pthread.h>
static pthread_mutex_t m; static int n;
void add(pthread_t h) { pthread_mutex_lock(&m); n += h != 0; pthread_mutex_unlock(&m); }
)");
  EXPECT_TRUE(plan.harnesses.empty());
  ASSERT_EQ(plan.skipped.size(), 1u);
  EXPECT_EQ(plan.skipped[0].first, "add");
}

TEST(GeneratedHarness, StandsAloneAsAProgram) {
  const HarnessPlan plan = harnessesOf(kQueue);
  const GeneratedHarness* harness = harnessNamed(plan, "queue_push || queue_reset");
  ASSERT_NE(harness, nullptr);
  Snapshot snapshot = harnessSnapshot(standAlone(*harness, "file.c"));
  snapshot.path = "/harness/kept.c";
  snapshot.overlays["/harness/file.c"] = kQueue;
  const Report report =
      pipelineEngine().analyze(snapshot, Options{}, Budget().withSteps(200'000), Observer{});
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
}

TEST(GeneratedHarness, ACommentNamesOne) {
  const std::string text = std::string(kQueue) + "// heddle: harness queue_push || queue_reset\n";
  EXPECT_EQ(askedHarness(text, "main"), "queue_push || queue_reset");
  EXPECT_FALSE(harnessText(text, "main"));
  EXPECT_EQ(askedHarness(text, "queue_push"), "");  // which begins elsewhere
  EXPECT_EQ(askedHarness(std::string(kQueue) + "// heddle: harness queue_push || nothing\n", "main"), "");
}

}  // namespace
}  // namespace heddle::testing
