// Generated harnesses in which one thread sets an object up and takes it down.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/failure_class.h"
#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

/// `BEFORE` stands in front of the end of what sets up, `END` of what takes down.
constexpr const char* kBox = R"(#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t lock; int *cells; char *name; };
struct box *box_new(int count) {
  struct box *b = malloc(sizeof *b);
  if (!b) return NULL;
  pthread_mutex_init(&b->lock, NULL);
  b->cells = malloc((size_t)count * sizeof *b->cells);
  if (!b->cells) FAILED
  BEFORE
  return b;
}
void box_destroy(struct box *b) {
  if (b->name) free(b->name);
  free(b->cells);
  END
  pthread_mutex_destroy(&b->lock);
  free(b);
}
)";

std::string box(const std::string& before, const std::string& end, const std::string& failed) {
  std::string text = kBox;
  for (const auto& [word, by] :
       {std::pair<std::string, std::string>{"BEFORE", before}, {"END", end}, {"FAILED", failed}})
    text.replace(text.find(word), word.size(), by);
  return text;
}

constexpr const char* kQuiet = "{ pthread_mutex_destroy(&b->lock); free(b); return NULL; }";

Report lived(const std::string& text, bool mayFail = false) {
  Options options;
  options.harness = "box_new, box_destroy";
  Snapshot snapshot = harnessSnapshot(text);
  snapshot.environment.mallocMayFail = mayFail;
  return pipelineEngine().analyze(snapshot, options, Budget().withSteps(200'000), Observer{});
}

TEST(HarnessLife, WhatIsSetUpIsTakenDown) {
  const Report right = lived(box("b->name = NULL;", "", kQuiet));
  EXPECT_EQ(right.verdict, Verdict::VerifiedWithinBounds) << right.problem;
  EXPECT_TRUE(right.warnings.empty());

  const Report unset = lived(box("", "", kQuiet));
  ASSERT_FALSE(unset.warnings.empty()) << unset.problem;
  EXPECT_EQ(unset.warnings.front().kind, Property::Uninitialized);

  const Report twice = lived(box("b->name = NULL;", "free(b->cells);", kQuiet));
  ASSERT_FALSE(twice.findings.empty()) << twice.problem;
  EXPECT_NE(twice.findings.front().message.find("double free"), std::string::npos);

  const Report held = lived(box("b->name = NULL;", "pthread_mutex_lock(&b->lock);", kQuiet));
  ASSERT_FALSE(held.findings.empty()) << held.problem;
  EXPECT_EQ(held.findings.front().kind, Property::Misuse);
}

TEST(HarnessLife, ACreationOfAThreadMayFailHalfWay) {
  const auto text = [](const std::string& failed) {
    return "#include <pthread.h>\n#include <stdlib.h>\nstruct crew { int count; pthread_t ids[2]; };\n"
           "static void *work(void *arg) { return arg; }\n"
           "struct crew *crew_start(void) {\n  struct crew *c = calloc(1, sizeof *c);\n"
           "  if (!c) return 0;\n  c->count = 2;\n  for (int i = 0; i < 2; ++i)\n"
           "    if (pthread_create(&c->ids[i], 0, work, c) != 0) { " +
           failed +
           " break; }\n  return c;\n}\n"
           "void crew_stop(struct crew *c) {\n"
           "  for (int i = 0; i < c->count; ++i) pthread_join(c->ids[i], 0);\n  free(c);\n}\n";
  };
  const auto shown = [](const std::string& program, bool mayFail) {
    Options options;
    options.harness = "crew_start, crew_stop";
    Snapshot snapshot = harnessSnapshot(program);
    snapshot.environment.mallocMayFail = mayFail;
    return pipelineEngine().analyze(snapshot, options, Budget().withSteps(200'000), Observer{});
  };
  EXPECT_EQ(shown(text(""), false).verdict, Verdict::VerifiedWithinBounds);
  const Report wrong = shown(text(""), true);
  const std::vector<Finding>& told = wrong.findings.empty() ? wrong.warnings : wrong.findings;
  ASSERT_EQ(told.size(), 1u) << wrong.problem;
  EXPECT_EQ(told.front().message, "'pthread_join' is given no thread");
  EXPECT_TRUE(hasFailedCreation(told.front()));
  const Report right = shown(text("c->count = i;"), true);
  EXPECT_EQ(right.verdict, Verdict::VerifiedWithinBounds) << right.problem;
}

TEST(HarnessLife, WhatOneCallLeavesToAThreadRunsBesideTheNext) {
  const auto shown = [](const std::string& before, const std::string& after, const std::string& harness) {
    const std::string text =
        "#include <pthread.h>\n#include <stdlib.h>\nstruct job { struct job *next; };\n"
        "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
        "static pthread_cond_t more = PTHREAD_COND_INITIALIZER;\nstatic struct job *jobs;\nstatic long "
        "used;\n"
        "static void add(long n) { " +
        before + " used += n; " + after +
        " }\nstatic void *work(void *arg) {\n  for (;;) {\n    pthread_mutex_lock(&lock);\n"
        "    while (!jobs) pthread_cond_wait(&more, &lock);\n    struct job *j = jobs;\n    jobs = j->next;\n"
        "    pthread_mutex_unlock(&lock);\n    add(-1);\n    free(j);\n  }\n  return arg;\n}\n"
        "void jobs_init(void) { pthread_t t; if (pthread_create(&t, 0, work, 0) != 0) abort(); }\n"
        "void jobs_add(void) {\n  struct job *j = malloc(sizeof *j);\n  if (!j) return;\n  add(1);\n"
        "  pthread_mutex_lock(&lock);\n  j->next = jobs;\n  jobs = j;\n  pthread_cond_signal(&more);\n"
        "  pthread_mutex_unlock(&lock);\n}\n";
    Options options;
    options.harness = harness;
    return pipelineEngine().analyze(harnessSnapshot(text), options, Budget().withSteps(200'000), Observer{});
  };
  const Report wrong = shown("", "", "jobs_add, jobs_add");
  ASSERT_FALSE(wrong.warnings.empty()) << wrong.problem;
  EXPECT_EQ(wrong.warnings.front().kind, Property::Race);
  EXPECT_NE(wrong.warnings.front().message.find("'used'"), std::string::npos);
  const Report right =
      shown("pthread_mutex_lock(&lock);", "pthread_mutex_unlock(&lock);", "jobs_add, jobs_add");
  EXPECT_TRUE(right.warnings.empty() && right.findings.empty());
  // Nothing is made up behind the threads' backs, and that they wait for calls is as it should be.
  for (const char* alone : {"jobs_add", "work"}) {
    const Report call = shown("pthread_mutex_lock(&lock);", "pthread_mutex_unlock(&lock);", alone);
    EXPECT_TRUE(call.warnings.empty() && call.findings.empty()) << alone;
    EXPECT_NE(call.verdict, Verdict::Error) << call.problem;
    EXPECT_NE(call.verdict, Verdict::Unsupported) << call.problem;
  }
}

TEST(HarnessLife, AnObjectWithAThreadIsGivenTwoCalls) {
  // The thread cannot deal with two jobs at once.
  const auto text = [](const std::string& again) {
    return "#include <pthread.h>\nstruct crew { pthread_mutex_t m; pthread_cond_t c; pthread_t t; int todo, "
           "end; "
           "};\n"
           "static void *work(void *arg) {\n  struct crew *w = arg;\n  pthread_mutex_lock(&w->m);\n"
           "  while (!w->end || w->todo) {\n    if (w->todo) { " +
           again +
           " }\n    else pthread_cond_wait(&w->c, &w->m);\n  }\n  pthread_mutex_unlock(&w->m);\n  return "
           "0;\n}\n"
           "void crew_init(struct crew *w) {\n  pthread_mutex_init(&w->m, 0);\n  pthread_cond_init(&w->c, "
           "0);\n"
           "  w->todo = w->end = 0;\n  pthread_create(&w->t, 0, work, w);\n}\n"
           "void crew_add(struct crew *w) {\n  pthread_mutex_lock(&w->m);\n  w->todo++;\n"
           "  pthread_cond_signal(&w->c);\n  pthread_mutex_unlock(&w->m);\n}\n"
           "void crew_destroy(struct crew *w) {\n  pthread_mutex_lock(&w->m);\n  w->end = 1;\n"
           "  pthread_cond_signal(&w->c);\n  pthread_mutex_unlock(&w->m);\n  pthread_join(w->t, 0);\n"
           "  pthread_mutex_destroy(&w->m);\n  pthread_cond_destroy(&w->c);\n}\n";
  };
  const std::string one = "if (w->todo > 1) { int *none = 0; *none = 1; } w->todo = 0;", all = "w->todo--;";
  const std::string two = "crew_init, crew_add, crew_add, crew_destroy";
  EXPECT_TRUE(exploredIn(text(one), "crew_init, crew_add, crew_destroy").findings.empty());
  EXPECT_EQ(exploredIn(text(one), two).findings.size(), 1u);
  const Report right = exploredIn(text(all), two);
  EXPECT_EQ(right.verdict, Verdict::VerifiedWithinBounds) << right.problem;
}

TEST(HarnessLife, SettingUpMayFailHalfWay) {
  const std::string wrong = "{ box_destroy(b); return NULL; }";
  const std::string text =
      "struct box; void box_destroy(struct box *b);\n" + box("b->name = NULL;", "", wrong);
  EXPECT_TRUE(lived(text).warnings.empty());
  EXPECT_FALSE(lived(text, true).warnings.empty()) << "'name' was never written";
  EXPECT_TRUE(lived(box("b->name = NULL;", "", kQuiet), true).warnings.empty());
}

TEST(HarnessLife, WhereOtherHarnessesDoSoThereIsNoFurtherOne) {
  const std::string text = box("b->name = NULL;", "", kQuiet);
  EXPECT_NE(harnessNamed(harnessesOf(text), "box_new, box_destroy"), nullptr);
  const std::string used = text +
                           "void box_set(struct box *b) { pthread_mutex_lock(&b->lock); b->name = NULL; "
                           "pthread_mutex_unlock(&b->lock); }\n";
  const HarnessPlan plan = harnessesOf(used);
  EXPECT_NE(harnessNamed(plan, "box_set || box_set"), nullptr);
  EXPECT_EQ(harnessNamed(plan, "box_new, box_destroy"), nullptr);
}

TEST(HarnessLife, WithoutThreadsItIsOptional) {
  const std::string text =
      "#include <stdlib.h>\nstruct cup { int *size; };\n"
      "struct cup *cup_new(void) { return calloc(1, sizeof(struct cup)); }\n"
      "void cup_free(struct cup *c) { if (c) free(c->size); free(c); }\n";
  const HarnessPlan plan = harnessesOf(text);
  const GeneratedHarness* harness = harnessNamed(plan, "cup_new, cup_free");
  ASSERT_NE(harness, nullptr);
  EXPECT_TRUE(harness->isOptional);
  EXPECT_FALSE(harness->isParallel);
}

TEST(HarnessLife, WhatPointersLeadToIsDataOfBoth) {
  const HarnessPlan plan = harnessesOf(R"(#include <pthread.h>
struct node { pthread_mutex_t lock; int *total, *items; const char *name; int fixed[4]; };
void node_sum(struct node *n) { pthread_mutex_lock(&n->lock); *n->total += 1; pthread_mutex_unlock(&n->lock); }
int node_total(struct node *n) { return *n->total; }
void node_put(struct node *n, int v) { pthread_mutex_lock(&n->lock); n->items[0] = v; pthread_mutex_unlock(&n->lock); }
int node_get(struct node *n) { return n->items[0]; }
void node_fix(struct node *n, int v) { pthread_mutex_lock(&n->lock); n->fixed[v] = v; pthread_mutex_unlock(&n->lock); }
char node_letter(struct node *n) { return n->name[0]; }
)");
  EXPECT_NE(harnessNamed(plan, "node_sum || node_total"), nullptr);
  EXPECT_NE(harnessNamed(plan, "node_put || node_get"), nullptr);
  EXPECT_NE(harnessNamed(plan, "node_fix || node_fix"), nullptr);
  EXPECT_EQ(harnessNamed(plan, "node_sum || node_get"), nullptr);
  EXPECT_EQ(harnessNamed(plan, "node_fix || node_letter"), nullptr);
}

/// Named so, they begin and end objects of a file that has nothing else for that.
TEST(HarnessLife, AServerIsStartedAndStopped) {
  const auto text = [](const std::string& wait) {
    return "#include <pthread.h>\n#include <stdlib.h>\nstruct server { int stops; pthread_t thread; };\n"
           "static void *serve(void *p) {\n  struct server *s = p;\n"
           "  while (!__atomic_load_n(&s->stops, 5)) ;\n  s->stops = 2;\n  return 0;\n}\n"
           "struct server *server_start(const char *name) {\n  struct server *s = calloc(1, sizeof *s);\n"
           "  if (name[0] == '#' || pthread_create(&s->thread, 0, serve, s)) { free(s); return 0; }\n"
           "  return s;\n}\n"
           "int server_state(struct server *s) { return __atomic_load_n(&s->stops, 5); }\n"
           "void server_stop(struct server *s) {\n  __atomic_store_n(&s->stops, 1, 5);\n" +
           wait + "  free(s);\n}\n";
  };
  const std::string joined = text("  pthread_join(s->thread, 0);\n");
  const HarnessPlan plan = harnessesOf(joined);
  ASSERT_NE(harnessNamed(plan, "server_start, server_state, server_stop"), nullptr);
  EXPECT_EQ(harnessNamed(plan, "server_state || server_stop"), nullptr);
  const auto isFreed = [](const Finding& finding) {
    return finding.message.find("use after free") != std::string::npos;
  };
  const Report freed = exploredIn(text(""), "server_start, server_stop");
  EXPECT_TRUE(std::any_of(freed.findings.begin(), freed.findings.end(), isFreed) ||
              std::any_of(freed.warnings.begin(), freed.warnings.end(), isFreed));
  const Report right = exploredIn(joined, "server_start, server_stop");
  EXPECT_TRUE(right.findings.empty() && right.warnings.empty());
}

TEST(HarnessLife, WhatIsNoStructureHasNoLife) {
  const std::string text =
      "void name_init(char *name);\nchar *job_start(int n) { static char name[4]; name[0] = (char)n; return "
      "name; }\n"
      "void job_stop(char *name) { name[0] = 0; }\n";
  for (const GeneratedHarness& harness : harnessesOf(text).harnesses)
    EXPECT_EQ(harness.text.find("name_init("), std::string::npos) << harness.title;
}

TEST(HarnessLife, AFunctionElsewhereThatSetsUpAPartIsNoMaker) {
  const auto usesIt = [](const std::string& name) {
    Snapshot snapshot =
        harnessSnapshot("#include \"app.h\"\nint app_count(struct app_easy *e) { return e->n; }\n");
    snapshot.overlays["/harness/app.h"] = "struct app_easy { int state, n; };\nstatic inline void " + name +
                                          "(struct app_easy *e) { e->state = 1; }\n";
    const HarnessPlan plan = pipelineEngine().harnesses(snapshot, "main", Budget{});
    const GeneratedHarness* harness = harnessNamed(plan, "app_count");
    EXPECT_NE(harness, nullptr);
    return harness && harness->text.find(name + "(&") != std::string::npos;
  };
  EXPECT_TRUE(usesIt("app_easy_init"));
  EXPECT_TRUE(usesIt("app_init"));
  EXPECT_FALSE(usesIt("app_init_connect"));
}

TEST(HarnessLife, OnlyWhatFollowsAFailedAllocationSaysSo) {
  const auto told = [](const std::string& text) {
    const Report report = lived(text, true);
    std::vector<Finding> all = report.findings;
    all.insert(all.end(), report.warnings.begin(), report.warnings.end());
    std::string needs;
    for (Finding& finding : all) {
      assumeFailedAllocation(finding);
      needs += needsFailedAllocation(finding) ? "failed " : "any ";
    }
    return needs;
  };
  EXPECT_EQ(told(box("b->name = NULL;", "free(b->cells);", kQuiet)), "any ") << "freed twice in any case";
  EXPECT_EQ(told(box("b->name = NULL;\n  b->cells[0] = 1;", "", "{}")), "failed ");
}

TEST(HarnessLife, ACallThatUndoesAnotherOneIsNotMadeAlone) {
  const auto findings = [](const std::string& pause) {
    const std::string text =
        "#include <pthread.h>\n#include <stdlib.h>\n"
        "struct box { pthread_mutex_t lock; pthread_t thread; int n; };\n"
        "static void *work(void *p) {\n  struct box *b = p;\n  pthread_mutex_lock(&b->lock);\n  b->n++;\n"
        "  pthread_mutex_unlock(&b->lock);\n  return 0;\n}\n"
        "struct box *box_create(void) {\n  struct box *b = calloc(1, sizeof *b);\n  if (!b) return 0;\n"
        "  pthread_mutex_init(&b->lock, 0);\n  pthread_create(&b->thread, 0, work, b);\n  return b;\n}\n"
        "void box_destroy(struct box *b) { pthread_join(b->thread, 0); free(b); }\n"
        "void box_" +
        pause +
        "(struct box *b) { pthread_mutex_lock(&b->lock); }\n"
        "void box_resume(struct box *b) { pthread_mutex_unlock(&b->lock); }\n";
    return exploredIn(text, "box_create, box_resume, box_destroy").findings.size();
  };
  EXPECT_EQ(findings("pause"), 0u);
  EXPECT_NE(findings("grab"), 0u) << "nothing says that they belong together";
}

}  // namespace
}  // namespace heddle::testing
