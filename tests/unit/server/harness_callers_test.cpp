// What no caller does who keeps to what the file shows is only possible: calls under no lock of functions
// that all others call under one, objects that are made with one another, settings beside use, one thread's
// loop beside itself. Each stands beside a twin that is wrong whoever calls.
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "server/source/harness_callers.h"
#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kCallersHead = R"(#include <pthread.h>
#include <stdlib.h>
struct pool { pthread_mutex_t lock; int working, attr, now; };
void pool_init(struct pool *p) { pthread_mutex_init(&p->lock, 0); p->working = p->attr = p->now = 0; }
void pool_add(struct pool *p) {
  pthread_mutex_lock(&p->lock);
  p->working += p->attr ? 2 : 1;
  pthread_mutex_unlock(&p->lock);
}
)";

/// The error of the calls, or "possible: " and what it rests on; "": nothing was found.
std::string foundBeside(const std::string& more, const std::string& title) {
  const Report report = exploredIn(kCallersHead + more, title);
  EXPECT_NE(report.verdict, Verdict::Unsupported) << report.problem;
  if (!report.findings.empty()) return report.findings.front().message;
  return report.warnings.empty() ? "" : "possible: " + report.warnings.front().assumes.back();
}

TEST(HarnessCallers, AFunctionThatAllCallUnderTheLockMayNeedIt) {
  const std::string launch = "void launch(struct pool *p) { p->working++; }\n";
  EXPECT_EQ(
      foundBeside(launch + "void start(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  launch(p);\n"
                           "  pthread_mutex_unlock(&p->lock);\n}\n",
                  "pool_add || launch"),
      "possible: 'launch' may be called without the lock that its callers in the file hold");
  EXPECT_EQ(foundBeside("void start(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n"
                        "  pthread_mutex_unlock(&p->lock);\n  p->working++;\n}\n",
                        "pool_add || start"),
            "data race on 'heddle_object1.working'");
}

/// What one call allocated and another frees, between them a pointer for which no caller holds a lock.
TEST(HarnessCallers, WhatARaceOfCallersKeepsApartIsItsConsequence) {
  const auto bound = [](const std::string& frees, const std::string& locks) {
    return exploredIn(
        "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n"
        "struct conn { pthread_mutex_t lock; char *address; int n; };\n"
        "struct conn *conn_new(void) {\n  struct conn *c = calloc(1, sizeof *c);\n"
        "  if (c) pthread_mutex_init(&c->lock, 0);\n  return c;\n}\n"
        "void conn_free(struct conn *c) { free(c->address); pthread_mutex_destroy(&c->lock); free(c); }\n"
        "void conn_bind(struct conn *c, const char *to) {\n" +
            frees + "  c->address = strdup(to);\n" + locks + "}\n",
        "conn_bind || conn_bind");
  };
  const std::string lock = "  pthread_mutex_lock(&c->lock);\n",
                    unlock = "  pthread_mutex_unlock(&c->lock);\n";
  const std::string frees = "  free(c->address);\n  c->address = 0;\n";
  const Report unlocked = bound(frees, lock + "  c->n++;\n" + unlock);
  EXPECT_TRUE(unlocked.findings.empty()) << unlocked.findings.front().message;
  EXPECT_TRUE(std::any_of(unlocked.warnings.begin(), unlocked.warnings.end(), [](const Finding& finding) {
    return finding.message.find("that only the racy") != std::string::npos;
  }));
  // Who takes the lock for some of it has to answer for the rest.
  EXPECT_FALSE(bound(lock + frees + unlock, "").findings.empty());
}

/// "T1 write 2": a step of a finding; "sync" behind it: of an atomic object.
Finding failureBehind(const std::vector<std::string>& steps) {
  Finding finding;
  finding.kind = Property::Memory;
  finding.threads = {{"main", "heddle_main"}, {"T1", "heddle_thread_1"}, {"T2", "heddle_thread_2"}};
  for (const std::string& text : steps) {
    std::istringstream words(text);
    std::string thread, kind, sync;
    uint32_t cell = 0;
    words >> thread >> kind >> cell >> sync;
    finding.steps.push_back({thread, {"f.c", 1, 1, "f"}, kind, kind, {cell}});
    finding.steps.back().isSync = !sync.empty();
  }
  return finding;
}

/// The race need not have been met before the time is up.
TEST(HarnessCallers, WhatRestsOnAccessesWithoutALockIsTheirConsequence) {
  EXPECT_TRUE(restsOnUnlockedAccesses(failureBehind({"T1 write 2", "T2 read 2"})));
  EXPECT_TRUE(restsOnUnlockedAccesses(failureBehind({"T1 read 2", "T2 write 2", "T2 read 5"})));
  // One side, or both, hold a lock; something orders them; another thread fails; nobody writes.
  EXPECT_FALSE(
      restsOnUnlockedAccesses(failureBehind({"T1 lock 1", "T1 write 2", "T1 unlock 1", "T2 read 2"})));
  EXPECT_FALSE(restsOnUnlockedAccesses(failureBehind({"T1 write 2", "T2 lock 1", "T2 read 2"})));
  EXPECT_FALSE(restsOnUnlockedAccesses(
      failureBehind({"T1 write 2", "T1 write 3 sync", "T2 read 3 sync", "T2 read 2"})));
  EXPECT_FALSE(restsOnUnlockedAccesses(failureBehind({"T1 write 2", "T2 read 2", "main read 2"})));
  EXPECT_FALSE(restsOnUnlockedAccesses(failureBehind({"main write 2", "T1 read 2", "T2 read 2"})));
}

/// `int pair[2]` is a pointer, and a va_list is what nobody makes up.
TEST(HarnessCallers, AnArrayIsAnArgument) {
  const HarnessPlan plan = harnessesOf(
      "#include <pthread.h>\n#include <stdarg.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; "
      "static "
      "int x;\n"
      "void put(int pair[2]) { pthread_mutex_lock(&m); x = pair[0]; pthread_mutex_unlock(&m); }\n"
      "void say(va_list rest) { pthread_mutex_lock(&m); x = va_arg(rest, int); pthread_mutex_unlock(&m); }\n"
      "int get(void) { return x; }\n");
  EXPECT_NE(harnessNamed(plan, "put || get"), nullptr);
  ASSERT_EQ(plan.skipped.size(), 1u);
  EXPECT_EQ(plan.skipped[0].first, "say");
}

TEST(HarnessCallers, SettingsAreMadeBeforeUse) {
  const auto set = [](const std::string& name) {
    return "static int n(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  int n = p->working;\n"
           "  pthread_mutex_unlock(&p->lock);\n  return n;\n}\n"
           "void " +
           name + "(struct pool *p) { if (n(p) == 0) p->attr = 1; }\n";
  };
  EXPECT_EQ(foundBeside(set("pool_setattr"), "pool_add || pool_setattr"),
            "possible: the object is still configured when others use it");
  EXPECT_EQ(foundBeside(set("pool_widen"), "pool_add || pool_widen"), "data race on 'heddle_object1.attr'");
}

TEST(HarnessCallers, TheOnlyFunctionThatWritesMayBeOfOneThread) {
  const std::string run =
      "void run(struct pool *p) {\n  if (p->now < 1) {\n    pthread_mutex_lock(&p->lock);\n    p->now++;\n"
      "    pthread_mutex_unlock(&p->lock);\n  }\n}\n";
  EXPECT_EQ(foundBeside(run, "run || run"), "possible: several threads call 'run'");
  EXPECT_EQ(foundBeside(run + "void reset(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  p->now = 0;\n"
                              "  pthread_mutex_unlock(&p->lock);\n}\n",
                        "run || run"),
            "data race on 'heddle_object1.now'");
}

TEST(HarnessCallers, ThreadsOfTwoCallsShareWhatTheFileHasOnce) {
  const auto work = [](const std::string& late) {
    return "static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;\nstatic int slots, done;\n"
           "static void *first(void *a) {\n  pthread_mutex_lock(&all);\n  slots++;\n"
           "  pthread_mutex_unlock(&all);\n  return a;\n}\n"
           "void work(void) {\n  pthread_t t;\n  pthread_mutex_lock(&all);\n  done = 0;\n"
           "  pthread_mutex_unlock(&all);\n  pthread_create(&t, 0, first, 0);\n  pthread_join(t, 0);\n" +
           late + "}\n";
  };
  EXPECT_EQ(foundBeside(work("  if (slots == 2) abort();\n"), "work || work"),
            "possible: several threads make calls that start threads");
  EXPECT_EQ(
      foundBeside(work("  done++;\n") + "int look(void) {\n  pthread_mutex_lock(&all);\n  int d = done;\n"
                                        "  pthread_mutex_unlock(&all);\n  return d;\n}\n",
                  "work || look"),
      "data race on 'done'");
}

TEST(HarnessCallers, AnObjectMayBeMadeWithTheOneThatTheCallsWorkOn) {
  const auto list = [](const std::string& parameter, const std::string& inner) {
    return "struct list;\nstruct value { struct list *inner; struct value *next; };\n"
           "struct list { pthread_mutex_t lock; struct value *head; };\n"
           "struct list *list_create(void) {\n  struct list *l = calloc(1, sizeof *l);\n"
           "  pthread_mutex_init(&l->lock, 0);\n  return l;\n}\n"
           "struct value *value_create(" +
           parameter + ") {\n  struct value *v = calloc(1, sizeof *v);\n  v->inner = " + inner +
           ";\n  return v;\n}\n"
           "void list_push(struct list *l, struct value *v) {\n  pthread_mutex_lock(&l->lock);\n"
           "  v->next = l->head;\n  l->head = v;\n  pthread_mutex_unlock(&l->lock);\n}\n"
           "void list_clear(struct list *l) {\n  pthread_mutex_lock(&l->lock);\n"
           "  struct value *v = l->head;\n  l->head = 0;\n  pthread_mutex_unlock(&l->lock);\n"
           "  if (v && v->inner) free(v->inner);\n}\nvoid list_destroy(struct list *l) { free(l); }\n";
  };
  EXPECT_EQ(foundBeside(list("struct list *inner", "inner"), "list_push || list_clear"),
            "possible: an object is set up with the one that the calls work on");
  EXPECT_EQ(foundBeside(list("void", "0"), "list_push || list_clear"), "");
}

TEST(HarnessCallers, WhatTheHarnessPassesIsFreedByWhoGotSomethingElse) {
  const std::string text =
      "struct box { pthread_mutex_t lock; pthread_cond_t full; void *item; };\n"
      "void box_init(struct box *b) {\n  pthread_mutex_init(&b->lock, 0);\n  pthread_cond_init(&b->full, "
      "0);\n"
      "  b->item = 0;\n}\n"
      "void box_send(struct box *b, void *item) {\n  pthread_mutex_lock(&b->lock);\n  b->item = item;\n"
      "  pthread_cond_signal(&b->full);\n  pthread_mutex_unlock(&b->lock);\n}\n"
      "void box_drop(struct box *b) {\n  pthread_mutex_lock(&b->lock);\n"
      "  while (!b->item) pthread_cond_wait(&b->full, &b->lock);\n  free(b->item);\n  b->item = 0;\n"
      "  pthread_mutex_unlock(&b->lock);\n}\n";
  EXPECT_EQ(foundBeside(text, "box_send || box_drop"), "possible: what is passed is no larger than that");
}

TEST(HarnessCallers, WhoInitializesAGlobalLockSetsTheFileUp) {
  for (const GeneratedHarness& harness :
       harnessesOf(std::string(kCallersHead) +
                   "pthread_mutex_t all;\nint total;\nvoid count(void) {\n  pthread_mutex_lock(&all);\n"
                   "  total++;\n  pthread_mutex_unlock(&all);\n}\n"
                   "void begin(void) { pthread_mutex_init(&all, 0); count(); }\n")
           .harnesses)
    EXPECT_TRUE(harness.isAlone || harness.title.find("begin") == std::string::npos) << harness.title;
}

TEST(HarnessCallers, WhoDestroysTheLockOfItsObjectTakesItDown) {
  const auto clear = [](const std::string& more) {
    return "static void end(pthread_mutex_t *m) { pthread_mutex_destroy(m); }\n"
           "void pool_clear(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  p->working = 0;\n"
           "  pthread_mutex_unlock(&p->lock);\n" +
           more + "}\n";
  };
  const auto isBeside = [&](const std::string& more) {
    const HarnessPlan plan = harnessesOf(kCallersHead + clear(more));
    EXPECT_NE(harnessNamed(plan, "pool_add || pool_add"), nullptr);
    return harnessNamed(plan, "pool_add || pool_clear") != nullptr;
  };
  EXPECT_FALSE(isBeside("  pthread_mutex_destroy(&p->lock);\n"));
  EXPECT_FALSE(isBeside("  end(&p->lock);\n"));
  EXPECT_FALSE(isBeside("  if (p) end(&p->lock);\n"));
  // What is destroyed on some ways only, and what is set up again, others use.
  const std::string destroyed = "destruction of 'heddle_object1.lock' while it is locked";
  EXPECT_EQ(
      foundBeside(clear("  end(&p->lock);\n  pthread_mutex_init(&p->lock, 0);\n"), "pool_add || pool_clear"),
      destroyed);
  EXPECT_EQ(foundBeside(clear("  if (p->now == 0) end(&p->lock);\n"), "pool_add || pool_clear"), destroyed);
}

TEST(HarnessCallers, AThreadMayHaveToTakeOutWhatItKeepsByAKey) {
  const std::string text =
      "struct entry { struct entry *next; int n; };\n"
      "static pthread_key_t key;\nstatic struct entry *all;\n"
      "void begin_init(void) { pthread_key_create(&key, free); }\n"
      "void enter(struct pool *p) {\n  struct entry *e = calloc(1, sizeof *e);\n"
      "  pthread_setspecific(key, e);\n  pthread_mutex_lock(&p->lock);\n  if (all) all->n = 1;\n"
      "  e->next = all;\n  all = e;\n  pthread_mutex_unlock(&p->lock);\n}\n";
  const std::string leave =
      "void leave(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  all = 0;\n"
      "  pthread_mutex_unlock(&p->lock);\n  pthread_setspecific(key, NULL);\n}\n";
  EXPECT_EQ(foundBeside(text + leave, "enter || enter"),
            "possible: a thread ends without taking out what it keeps by a key");
  EXPECT_NE(foundBeside(text, "enter || enter").find("free"), std::string::npos);
}

/// What sets the object up comes to the same lines before.
TEST(HarnessCallers, CallersThatSetUpAgainHoldALockOfTheirOwn) {
  const auto again = [](const std::string& locks, const std::string& unlocks) {
    return "void pool_again(struct pool *p) {\n  static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
           "  pthread_mutex_lock(&m);\n" +
           unlocks + "  pool_start(p);\n" + locks + "  pthread_mutex_unlock(&m);\n}\n";
  };
  const std::string text =
      "#include <pthread.h>\nstruct pool { pthread_mutex_t lock; int now; };\n"
      "static void pool_start(struct pool *p) { p->now = 1; }\n"
      "void pool_init(struct pool *p) { pthread_mutex_init(&p->lock, 0); pool_start(p); }\n";
  const auto found = [&](const std::string& more) {
    const Report report = exploredIn(text + more, "pool_again || pool_again");
    EXPECT_FALSE(report.findings.empty() && report.warnings.empty()) << report.problem;
    return report.findings.empty() ? "possible: " + report.warnings.front().assumes.back()
                                   : report.findings.front().message;
  };
  const std::string lock = "  pthread_mutex_lock(&m);\n", unlock = "  pthread_mutex_unlock(&m);\n";
  EXPECT_EQ(found(again(lock, unlock)), "possible: callers hold no lock of their own");
  // One of them holds a lock.
  const std::string other =
      "void pool_other(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  p->now = 2;\n"
      "  pthread_mutex_unlock(&p->lock);\n}\n";
  const Report wrong = exploredIn(text + again(lock, unlock) + other, "pool_again || pool_other");
  ASSERT_FALSE(wrong.findings.empty()) << wrong.problem;
  EXPECT_EQ(wrong.findings.front().message, "data race on 'heddle_object1.now'");
}

TEST(HarnessCallers, NoThreadIsMadeUp) {
  const auto stop = [](const std::string& parameter, const std::string& thread) {
    return "void halt(struct pool *p, " + parameter +
           ") {\n  pthread_mutex_lock(&p->lock);\n  p->now = 1;\n  pthread_mutex_unlock(&p->lock);\n"
           "  pthread_join(" +
           thread + ", 0);\n}\n";
  };
  EXPECT_EQ(harnessNamed(harnessesOf(kCallersHead + stop("pthread_t t", "t")), "halt || halt"), nullptr);
  // A number is passed as ever.
  EXPECT_EQ(foundBeside("void halt(struct pool *p, unsigned long t) {\n  pthread_mutex_lock(&p->lock);\n"
                        "  p->now = t;\n  pthread_mutex_unlock(&p->lock);\n  p->working++;\n}\n",
                        "pool_add || halt"),
            "data race on 'heddle_object1.working'");
}

TEST(HarnessCallers, WhatAnUnknownFunctionIsGivenMayEndAWait) {
  const auto test = [](const std::string& changed) {
    return "int go(void (*run)(void *), void *argument);\nstruct task { int count, runs; };\n"
           "static void add(void *a) {\n  struct task *t = a;\n  t->" +
           changed +
           "++;\n}\n"
           "void test(struct pool *p) {\n  struct task t = {0, 0};\n  pthread_mutex_lock(&p->lock);\n"
           "  p->now++;\n  pthread_mutex_unlock(&p->lock);\n  go(add, &t);\n"
           "  while (t.count == 0) { }\n}\n";
  };
  EXPECT_EQ(foundBeside(test("count"), "test || test"),
            "possible: no function that 'go' was given runs meanwhile");
  EXPECT_TRUE(foundBeside(test("runs"), "test || test").starts_with("deadlock"));
}

/// A function that gives a reference back is no excuse for another misuse.
TEST(HarnessCallers, AMisuseThatNoLastReferenceBringsAboutIsAnError) {
  EXPECT_EQ(foundBeside("struct held { pthread_mutex_t lock; int references; };\n"
                        "struct held *held_create(void) {\n  struct held *h = calloc(1, sizeof *h);\n"
                        "  pthread_mutex_init(&h->lock, 0);\n  h->references = 9;\n  return h;\n}\n"
                        "void held_unref(struct held *h) {\n  pthread_mutex_lock(&h->lock);\n"
                        "  if (--h->references == 0) free(h);\n  pthread_mutex_unlock(&h->lock);\n"
                        "  if (h->references == 7) pthread_mutex_unlock(&h->lock);\n}\n",
                        "held_unref || held_unref"),
            "unlock of 'h->lock', which this thread does not hold");
}

TEST(HarnessCallers, WhatFailsInTurnTooHasNothingToDoWithThreads) {
  const auto once = [](const std::string& then) {
    return "#include <assert.h>\nvoid once(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  "
           "assert(p->now == 0);\n"
           "  p->now = 1;\n  pthread_mutex_unlock(&p->lock);\n" +
           then + "}\n";
  };
  EXPECT_EQ(foundBeside(once(""), "once || once"),
            "possible: the calls may be made one after another like that");
  // Each call leaves it as it was, and only a call beside it sees something else.
  const std::string back =
      "  pthread_mutex_lock(&p->lock);\n  p->now = 0;\n  pthread_mutex_unlock(&p->lock);\n";
  EXPECT_EQ(foundBeside(once(back), "once || once"), "assertion 'p->now == 0' failed");
}

TEST(HarnessCallers, OneObjectIsNotGivenTwiceAsARule) {
  const auto link = [](const std::string& second) {
    return "void link_to(struct pool *p, struct pool *" + second +
           ") {\n  pthread_mutex_lock(&p->lock);\n  pthread_mutex_lock(&other->lock);\n  p->now++;\n"
           "  pthread_mutex_unlock(&other->lock);\n  pthread_mutex_unlock(&p->lock);\n}\n";
  };
  EXPECT_EQ(foundBeside(link("other"), "link_to || link_to"), "possible: one object may be given twice");
}

/// What goes wrong in one exploration ended the command, and the reports of all others with it.
TEST(GuardedEngine, AnExplorationThatGoesWrongIsAReport) {
  Observer observer;
  observer.finding = [](const Finding&) { throw std::out_of_range("no such node"); };
  const Report report = pipelineEngine().analyze(
      harnessSnapshot("#include <assert.h>\nint main(void) { assert(0); return 0; }\n"), Options{},
      Budget().withSteps(10'000), observer);
  EXPECT_EQ(report.verdict, Verdict::Incomplete);
  EXPECT_NE(report.problem.find("no such node"), std::string::npos) << report.problem;
}

}  // namespace
}  // namespace heddle::testing
