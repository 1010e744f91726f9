// Generated harnesses beyond one text: what headers, other files and functions elsewhere contribute.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

TEST(HarnessReach, AnObjectWithThreadsOfAnotherFileIsUsedByOneThread) {
  Snapshot snapshot = harnessSnapshot(R"(#include <pthread.h>
#include <stdlib.h>
typedef struct pool { pthread_mutex_t lock; int jobs; } pool;
void begin(void *p);
pool *pool_create(void) {
  pool *made = calloc(1, sizeof *made);
  pthread_mutex_init(&made->lock, 0);
  begin(made);
  return made;
}
void pool_add(pool *p) { pthread_mutex_lock(&p->lock); p->jobs++; pthread_mutex_unlock(&p->lock); }
void pool_reset(pool *p) { p->jobs = 0; pthread_mutex_lock(&p->lock); pthread_mutex_unlock(&p->lock); }
)");
  const char* quiet =
      "#include <pthread.h>\n#include <stddef.h>\nstatic void *work(void *p) { return p; }\n"
      "void begin(void *p) { pthread_t t; pthread_create(&t, NULL, work, p); pthread_detach(t); }\n";
  Options options;
  options.harness = "pool_add || pool_reset";
  for (const bool hasThreads : {true, false}) {
    const std::string other = hasThreads ? quiet : "void begin(void *p) { (void)p; }\n";
    snapshot.units = {{"/harness/other.c", other, commandFromFlags("/harness/other.c", {})}};
    const Report report =
        pipelineEngine().analyze(snapshot, options, Budget().withSteps(400'000), Observer{});
    EXPECT_EQ(report.findings.empty(), hasThreads) << report.problem;
    EXPECT_EQ(report.warnings.empty(), !hasThreads);
  }
}

/// What sets the object up leaves a pointer that the calls need, and no call comes to its end.
TEST(HarnessReach, CallsThatAllEndAtWhatIsNotSetUpAreMadeOnObjectsInAnyState) {
  const auto text = [](const std::string& inside, const std::string& behind) {
    return "#include <pthread.h>\nstruct link { int port; };\n"
           "struct query { pthread_mutex_t lock; struct link *link; int used, port; };\n"
           "void query_init(struct query *q) { pthread_mutex_init(&q->lock, 0); q->link = 0; q->used = 0; }\n"
           "void query_start(struct query *q) {\n  int port = q->link->port;\n"
           "  pthread_mutex_lock(&q->lock);\n  q->used++;\n" +
           inside + "  pthread_mutex_unlock(&q->lock);\n" + behind + "}\n";
  };
  const auto racesOf = [](const std::string& one) {
    const Report report = exploredIn(one, "query_start || query_start");
    EXPECT_TRUE(report.findings.empty()) << one;
    return std::count_if(report.warnings.begin(), report.warnings.end(), isRace);
  };
  EXPECT_EQ(racesOf(text("", "  q->port = port;\n")), 1);
  EXPECT_EQ(racesOf(text("  q->port = port;\n", "")), 0);
}

TEST(HarnessReach, WhatAFunctionElsewhereReturnsMayMakeAnAssertionFailOnlyPossibly) {
  const std::string text =
      "#include <assert.h>\nint users(int *lock);\nstatic int lock, freed;\n"
      "int main(void) {\n  int use = users(&lock);\n  assert(use != 0);\n"
      "  if (use < 0) freed = 1;\n  assert(!freed);\n  return 0;\n}\n";
  const Report report = exploredIn(text, "");
  ASSERT_EQ(report.warnings.size(), 1u) << report.problem;
  EXPECT_EQ(report.warnings.front().place.line, 6u) << "what it says of the function is not known";
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings.front().place.line, 8u) << "what the program makes of it is its own";
}

TEST(HarnessReach, WhatAnInlineFunctionOfAHeaderDoesCounts) {
  Snapshot snapshot;
  snapshot.path = "/nowhere/store.c";
  snapshot.text =
      "#include \"atomics.h\"\nstatic int value, puts;\nvoid put(int v) { puts++; store(&value, v); }\n";
  snapshot.overlays["/nowhere/atomics.h"] =
      "static inline void store(int *p, int v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); }\n";
  snapshot.command = commandFromFlags(snapshot.path, {});
  EXPECT_NE(harnessNamed(pipelineEngine().harnesses(snapshot, "main", Budget{}), "put || put"), nullptr);
}

TEST(HarnessReach, AssemblyThatOrdersMemoryIsWorthRunningSideBySide) {
  const std::string text =
      "static int value;\nvoid put(int v) { value = v; __asm__ __volatile__(\"\" ::: \"memory\"); }\n";
  EXPECT_NE(harnessNamed(harnessesOf(text), "put || put"), nullptr);
  const HarnessPlan plain = harnessesOf("static int value;\nvoid put(int v) { value = v; }\n");
  EXPECT_TRUE(
      std::all_of(plain.harnesses.begin(), plain.harnesses.end(),
                  [](const GeneratedHarness& harness) { return harness.isOptional || harness.isAlone; }));
}

/// Handles of a loop that another file sets up; `count` reads what the others change.
Snapshot handlesOf(const std::string& loopInit, const std::string& count) {
  Snapshot snapshot = harnessSnapshot(
      "#include <pthread.h>\n"
      "struct loop { pthread_mutex_t lock; struct loop *self; int handles; };\n"
      "struct handle { struct loop *loop; int active; };\n"
      "int loop_init(struct loop *loop);\n"
      "int handle_init(struct loop *loop, struct handle *h) { h->loop = loop; h->active = 1; return 0; }\n"
      "void handle_stop(struct handle *h) {\n  pthread_mutex_lock(&h->loop->lock);\n"
      "  h->loop->self->handles--;\n  pthread_mutex_unlock(&h->loop->lock);\n}\n"
      "int handle_count(struct handle *h) {\n" +
      count + "  return n;\n}\n");
  const std::string other =
      "#include <pthread.h>\nstruct loop { pthread_mutex_t lock; struct loop *self; int handles; };\n"
      "int loop_init(struct loop *loop) {\n" +
      loopInit + "}\n";
  if (!loopInit.empty())
    snapshot.units = {{"/harness/loop.c", other, commandFromFlags("/harness/loop.c", {})}};
  return snapshot;
}

Report reportOf(const Snapshot& snapshot, const std::string& title) {
  Options options;
  options.harness = title;
  return pipelineEngine().analyze(snapshot, options, Budget().withSteps(400'000), Observer{});
}

TEST(HarnessReach, AFunctionOfAnotherFileSetsUpWhatNoneOfTheFileDoes) {
  const std::string title = "handle_stop || handle_count";
  const std::string set =
      "  pthread_mutex_init(&loop->lock, 0);\n  loop->self = loop;\n  loop->handles = 3;\n  return 0;\n";
  const std::string locks = "  pthread_mutex_lock(&h->loop->lock);\n",
                    unlocks = "  pthread_mutex_unlock(&h->loop->lock);\n",
                    reads = "  n += h->loop->self->handles;\n";
  const std::string unlocked = "  int n = 0;\n" + locks + unlocks + reads,
                    locked = "  int n = 0;\n" + locks + reads + unlocks;
  const Report wrong = reportOf(handlesOf(set, unlocked), title);
  ASSERT_EQ(wrong.findings.size(), 1u) << wrong.problem;
  EXPECT_EQ(wrong.findings.front().kind, Property::Race);
  EXPECT_EQ(wrong.harness, title);
  Snapshot again = handlesOf(set, unlocked);
  Options options;
  options.harness = title;
  const ReplayResult replayed =
      pipelineEngine().replay(again, options, wrong.findings.front().schedule, Budget{});
  EXPECT_FALSE(replayed.failures.empty());
  const Report right = reportOf(handlesOf(set, locked), title);
  EXPECT_EQ(right.verdict, Verdict::VerifiedWithinBounds) << right.problem;
  EXPECT_TRUE(right.warnings.empty());
}

TEST(HarnessReach, WhereTheOtherFileSetsNothingUpObjectsAreMadeUp) {
  const std::string title = "handle_stop || handle_count";
  const std::string count = "  int n = h->loop->self->handles;\n";
  for (const char* init :
       {"  return -1;\n", "  for (;;) { }\n", "  loop->self = *(struct loop **)0;\n  return 0;\n"}) {
    const Report report = reportOf(handlesOf(init, count), title);
    EXPECT_EQ(report.harness, title + ", on objects made up") << init;
    EXPECT_TRUE(report.findings.empty());
    EXPECT_FALSE(report.warnings.empty()) << init;
  }
  // Nobody defines it.
  const Report report = reportOf(handlesOf("", count), title);
  EXPECT_EQ(report.harness, title);
  EXPECT_FALSE(report.warnings.empty());
}

/// What other files put into global variables is made up where the calls end without it, and replays so.
TEST(HarnessReach, WhereCallsEndAtAPointerInAGlobalVariableItLeadsToANewObject) {
  const std::string title = "keep || keep", suffix = ", on global objects made up";
  const auto fileOf = [](const std::string& lock, const std::string& unlock) {
    return harnessSnapshot(
        "#include <pthread.h>\nstruct room { int used; };\n"
        "struct house { pthread_mutex_t lock; int big[99999]; struct room *room; };\n"
        "extern struct house house;\nstatic int kept;\n"
        "void keep(void) {\n  pthread_mutex_lock(&house.lock);\n" +
        unlock + "  house.room->used++;\n  kept++;\n" + lock + "}\n");
  };
  const std::string unlock = "  pthread_mutex_unlock(&house.lock);\n";
  const Report wrong = reportOf(fileOf("", unlock), title);
  EXPECT_EQ(wrong.harness, title + suffix);
  const auto race = std::find_if(wrong.warnings.begin(), wrong.warnings.end(), [](const Finding& finding) {
    return finding.message == "data race on 'kept'";
  });
  ASSERT_NE(race, wrong.warnings.end());
  EXPECT_TRUE(race->possible);
  Options options;
  options.harness = wrong.harness;
  const ReplayResult replayed =
      pipelineEngine().replay(fileOf("", unlock), options, race->schedule, Budget{});
  EXPECT_FALSE(replayed.failures.empty()) << replayed.error;
  const Report right = reportOf(fileOf(unlock, ""), title);
  EXPECT_EQ(right.harness, title + suffix);
  EXPECT_TRUE(right.warnings.empty()) << right.warnings.front().message;
}

/// What another file reads of the object, other files may set up.
TEST(HarnessReach, ANullPointerThatAnotherFileMeetsInAnObjectOfItsMayBeSetUpElsewhere) {
  const auto reportWith = [](const std::string& setUp) {
    const std::string types =
        "#include <pthread.h>\nstruct easy { int share; };\n"
        "struct conn { pthread_mutex_t lock; struct easy *easy; int done; };\n";
    Snapshot snapshot = harnessSnapshot(
        types +
        "void tell(struct conn *c);\nvoid conn_init(struct conn *c) {\n"
        "  pthread_mutex_init(&c->lock, 0);\n" +
        setUp +
        "}\nvoid conn_end(struct conn *c) {\n  pthread_mutex_lock(&c->lock);\n  c->done = 1;\n"
        "  pthread_mutex_unlock(&c->lock);\n}\n"
        "void conn_tell(struct conn *c) {\n  pthread_mutex_lock(&c->lock);\n  int done = c->done;\n"
        "  pthread_mutex_unlock(&c->lock);\n  if (done) tell(c);\n}\n");
    snapshot.units.push_back({"/harness/tell.c",
                              types +
                                  "void tell(struct conn *c) {\n  struct easy *e = c->easy;\n  c->done = 0;\n"
                                  "  e->share = 1;\n}\n",
                              snapshot.command});
    snapshot.onlyNeededUnits = true;
    return reportOf(snapshot, "conn_end || conn_tell");
  };
  const auto isNull = [](const Finding& finding) { return finding.message == "null pointer dereference"; };
  const Report unset = reportWith("");
  EXPECT_TRUE(std::none_of(unset.findings.begin(), unset.findings.end(), isNull));
  EXPECT_TRUE(std::any_of(unset.warnings.begin(), unset.warnings.end(), isNull)) << unset.problem;
  const Report wrong = reportWith("  c->easy = 0;\n");
  EXPECT_TRUE(std::any_of(wrong.findings.begin(), wrong.findings.end(), isNull)) << wrong.problem;
}

/// A constructor may set up a whole library, which is the state of no call.
TEST(HarnessReach, ConstructorsOfOtherFilesDoNotRunInFrontOfACall) {
  Snapshot snapshot =
      harnessSnapshot("int level(void);\nint twice(int n) {\n  return n > 9 ? level() : n;\n}\n");
  snapshot.units.push_back({"/harness/level.c",
                            "static int at;\n"
                            "__attribute__((constructor)) static void begin(void) { int *p = 0; at = *p; }\n"
                            "int level(void) { return at; }\n",
                            snapshot.command});
  snapshot.onlyNeededUnits = true;
  const Report report = reportOf(snapshot, "twice");
  EXPECT_TRUE(report.findings.empty() && report.warnings.empty());
  EXPECT_EQ(report.verdict, Verdict::VerifiedWithinBounds) << report.problem;
  EXPECT_TRUE(std::any_of(report.assumptions.begin(), report.assumptions.end(), [](const Assumption& taken) {
    return taken.text == "constructors of other files have not run";
  }));
}

/// Functions of different objects meet where one alone is careful with a variable that both use.
TEST(HarnessReach, CallsOnDifferentObjectsMeetAtAVariableThatOneAccessesAtomically) {
  const auto fileOf = [](const std::string& get) {
    return harnessSnapshot(
        "struct task { int done; };\nstruct clock { int ticks; };\nstatic long pending;\n"
        "void task_end(struct task *t) {\n  t->done = 1;\n"
        "  __atomic_sub_fetch(&pending, 1, __ATOMIC_RELAXED);\n}\n"
        "long clock_pending(struct clock *c) {\n  return c->ticks + " +
        get + ";\n}\n");
  };
  const std::string title = "task_end || clock_pending";
  const Report wrong = reportOf(fileOf("pending"), title);
  ASSERT_EQ(wrong.warnings.size(), 1u) << wrong.problem;
  EXPECT_EQ(wrong.warnings.front().message, "data race on 'pending'");
  const HarnessPlan plan =
      pipelineEngine().harnesses(fileOf("__atomic_load_n(&pending, __ATOMIC_RELAXED)"), "main", Budget{});
  EXPECT_EQ(harnessNamed(plan, title), nullptr) << "both are";
}

/// A harness of what another file makes and destroys says nothing of this one.
TEST(HarnessReach, OnlyTheFilesOwnFunctionsSetUpAndTakeDown) {
  Snapshot snapshot = harnessSnapshot(
      "struct box { int n; };\nstruct box *box_new(void);\nvoid box_free(struct box *b);\n"
      "struct lid { struct box *box; };\nint lid_init(struct lid *l, struct box *b) { l->box = b; return 0; "
      "}\n");
  snapshot.unitsFollow = true;
  for (const GeneratedHarness& harness : pipelineEngine().harnesses(snapshot, "main", Budget{}).harnesses)
    EXPECT_FALSE(harness.title.starts_with("box_new")) << harness.title;
}

/// The same of a function with a body in a header.
TEST(HarnessReach, WhereAHeadersFunctionSetsNothingUpObjectsAreMadeUp) {
  const auto harnessOf = [](const std::string& result) {
    Snapshot snapshot = harnessSnapshot(
        "#include <pthread.h>\n#include \"box.h\"\n"
        "void put(struct box *b) { pthread_mutex_lock(&b->lock); b->n++; pthread_mutex_unlock(&b->lock); "
        "}\n");
    snapshot.overlays["/harness/box.h"] =
        "struct box { pthread_mutex_t lock; int n; };\n"
        "static inline int box_init(struct box *b) { pthread_mutex_init(&b->lock, 0); b->n = 0; return " +
        result + "; }\n";
    return reportOf(snapshot, "put || put").harness;
  };
  EXPECT_EQ(harnessOf("0"), "put || put");
  EXPECT_EQ(harnessOf("-1"), "put || put, on objects made up");
}

/// The second object is the one that the function is named after.
TEST(HarnessReach, OfSeveralObjectsAFunctionSetsUpTheOneThatItsNameNames) {
  const HarnessPlan plan = pipelineEngine().harnesses(
      handlesOf("  return 0;\n", "  int n = h->loop->self->handles;\n"), "main", Budget{});
  const GeneratedHarness* harness = harnessNamed(plan, "handle_stop || handle_count");
  ASSERT_NE(harness, nullptr);
  EXPECT_EQ(harness->elsewhere, std::set<std::string>{"loop_init"});
  EXPECT_LT(harness->text.find("loop_init(&heddle_object"), harness->text.find("handle_init(&heddle_object"))
      << harness->text;
}

TEST(HarnessReach, AWaitInAFunctionOfAnotherFileIsOneThatOthersMayEnd) {
  const auto waits = [](const std::string& body) {
    const std::string pool =
        "#include <pthread.h>\nstruct pool { pthread_mutex_t lock; pthread_cond_t full; int jobs; };\n";
    Snapshot snapshot = harnessSnapshot(
        pool +
        "void wait_for(struct pool *p);\nvoid pool_init(struct pool *p) {\n"
        "  pthread_mutex_init(&p->lock, 0);\n  pthread_cond_init(&p->full, 0);\n  p->jobs = 0;\n}\n"
        "void pool_add(struct pool *p) { pthread_mutex_lock(&p->lock); p->jobs++; "
        "pthread_mutex_unlock(&p->lock); }\n"
        "void pool_flush(struct pool *p) { pthread_mutex_lock(&p->lock); wait_for(p); p->jobs--; "
        "pthread_mutex_unlock(&p->lock); }\n");
    const std::string other = pool + "void wait_for(struct pool *p) { " + body + " }\n";
    snapshot.units = {{"/harness/other.c", other, commandFromFlags("/harness/other.c", {})}};
    return reportOf(snapshot, "pool_add || pool_flush");
  };
  const Report woken = waits("while (p->jobs == 0) pthread_cond_wait(&p->full, &p->lock);");
  EXPECT_TRUE(woken.findings.empty());
  ASSERT_FALSE(woken.warnings.empty()) << woken.problem;
  EXPECT_EQ(woken.warnings.front().assumes.back(), "nobody else wakes who waits there");
  EXPECT_FALSE(waits("pthread_mutex_lock(&p->lock);").findings.empty());
}

TEST(HarnessReach, WhatChangesAnObjectThatHasALockRunsBesideItself) {
  const auto text = [](const std::string& next) {
    return "#include <pthread.h>\nstruct q { pthread_mutex_t lock; int last, n; };\n"
           "void q_add(struct q *q) { pthread_mutex_lock(&q->lock); q->n++; pthread_mutex_unlock(&q->lock); "
           "}\n"
           "int q_next(struct q *q) { " +
           next + " }\n";
  };
  const std::string wrong = text("return ++q->last;"), right = text(
                                                           "pthread_mutex_lock(&q->lock); int n = ++q->last;"
                                                           " pthread_mutex_unlock(&q->lock); return n;");
  ASSERT_NE(harnessNamed(harnessesOf(wrong), "q_next || q_next"), nullptr);
  const Report report = exploredIn(wrong, "q_next || q_next");
  EXPECT_TRUE(report.findings.empty()) << "that threads share it is a guess";
  ASSERT_EQ(report.warnings.size(), 1u) << report.problem;
  EXPECT_EQ(report.warnings.front().kind, Property::Race);
  EXPECT_TRUE(exploredIn(right, "q_next || q_next").warnings.empty());
}

TEST(HarnessReach, ObjectsThatCannotBeSetUpAreMadeUp) {
  const auto text = [](const std::string& made, const std::string& add) {
    return "#include <pthread.h>\n#include <stdlib.h>\nstruct q { pthread_mutex_t lock; int n; };\n"
           "struct q *q_new(void) {\n  struct q *q = " +
           made +
           ";\n  if (q) pthread_mutex_init(&q->lock, 0);\n  return q;\n}\n"
           "void q_add(struct q *q) { " +
           add +
           " }\nint q_n(struct q *q) { pthread_mutex_lock(&q->lock); int n = q->n;"
           " pthread_mutex_unlock(&q->lock); return n; }\n";
  };
  const std::string never = "0", each = "calloc(1, sizeof *q)", wrong = "q->n++;",
                    right = "pthread_mutex_lock(&q->lock); q->n++; pthread_mutex_unlock(&q->lock);";
  const Report madeUp = exploredIn(text(never, wrong), "q_add || q_n");
  EXPECT_TRUE(madeUp.harness.ends_with(", on objects made up")) << madeUp.harness;
  EXPECT_FALSE(madeUp.warnings.empty()) << madeUp.problem;
  EXPECT_TRUE(exploredIn(text(never, right), "q_add || q_n").warnings.empty());
  EXPECT_EQ(exploredIn(text(each, wrong), "q_add || q_n").harness, "q_add || q_n");
}

TEST(HarnessReach, CallsThatReturnAtOnceAreMadeInAnyState) {
  const auto text = [](const std::string& change) {
    std::string ways;
    for (int i = 0; i < 6; ++i)
      ways += "  if (b->n == " + std::to_string(i * 7 + 9) + ") r = " + std::to_string(i) + ";\n";
    return "#include <pthread.h>\nstruct box { pthread_mutex_t m; int isOpen, n; };\n"
           "void box_init(struct box *b) { pthread_mutex_init(&b->m, 0); b->isOpen = 0; b->n = 0; }\n"
           "int box_add(struct box *b) {\n  int r = 0;\n  pthread_mutex_lock(&b->m);\n  if (!b->isOpen) {\n"
           "    pthread_mutex_unlock(&b->m);\n    return 0;\n  }\n" +
           ways + change + "  return r;\n}\n";
  };
  const Report wrong = exploredIn(text("  pthread_mutex_unlock(&b->m);\n  b->n++;\n"), "box_add || box_add");
  EXPECT_TRUE(wrong.findings.empty()) << "nothing of the file opens a box";
  ASSERT_FALSE(wrong.warnings.empty());
  EXPECT_EQ(wrong.warnings.front().kind, Property::Race);
  EXPECT_TRUE(wrong.warnings.front().possible);
  const Report right = exploredIn(text("  b->n++;\n  pthread_mutex_unlock(&b->m);\n"), "box_add || box_add");
  EXPECT_TRUE(right.warnings.empty());
  EXPECT_EQ(right.verdict, Verdict::VerifiedWithinBounds) << right.problem;
}

TEST(HarnessReach, WhatSetsAnObjectUpFindsObjectsInGlobalPointers) {
  const auto text = [](const std::string& add) {
    return "#include <pthread.h>\n#include <stdlib.h>\nstruct list { int len; };\n"
           "extern struct server { struct list *unused; } server;\n"
           "struct obj { pthread_mutex_t m; int count; };\n"
           "struct obj *obj_create(void) {\n  if (server.unused->len) return 0;\n"
           "  struct obj *o = malloc(sizeof *o);\n  if (!o) return 0;\n  pthread_mutex_init(&o->m, 0);\n"
           "  o->count = 0;\n  return o;\n}\nvoid obj_destroy(struct obj *o) { free(o); }\n"
           "void obj_add(struct obj *o) {\n  pthread_mutex_lock(&o->m);\n" +
           add + "}\n";
  };
  const auto races = [&](const std::string& add) {
    const Report report = exploredIn(text(add), "obj_add || obj_add");
    return std::count_if(report.warnings.begin(), report.warnings.end(),
                         [](const Finding& finding) { return finding.kind == Property::Race; });
  };
  EXPECT_EQ(races("  pthread_mutex_unlock(&o->m);\n  o->count++;\n"), 1);
  EXPECT_EQ(races("  o->count++;\n  pthread_mutex_unlock(&o->m);\n"), 0);
}

}  // namespace
}  // namespace heddle::testing
