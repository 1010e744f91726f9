// What a finding in a generated harness says of the calls, and what only of a state that nobody may be in.
#include <gtest/gtest.h>

#include <algorithm>

#include "server/source/harness.h"
#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kCurrent = R"(#include <pthread.h>
struct item { int value; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct item *current;
static int ready;
void choose(struct item *item) { pthread_mutex_lock(&lock); current = item; pthread_mutex_unlock(&lock); }
void announce(void) { pthread_mutex_lock(&lock); ready = 1; pthread_mutex_unlock(&lock); }
int use(void) {
  pthread_mutex_lock(&lock);
  int value = ready ? current->value : 0;
  pthread_mutex_unlock(&lock);
  return value;
}
)";

TEST(HarnessCertainty, ANullPointerThatNobodyThereSetsIsOnlyPossible) {
  const Report report = exploredIn(kCurrent, "announce || use");
  EXPECT_TRUE(report.findings.empty());
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  EXPECT_EQ(report.warnings.front().kind, Property::Memory);
  EXPECT_EQ(report.warnings.front().assumes.back(), "'current' was not set up");
  // Who announces takes it away: that one is theirs.
  std::string wrong = kCurrent;
  wrong.replace(wrong.find("ready = 1;"), 10, "ready = 1; current = 0;");
  const Report error = exploredIn(wrong, "announce || use");
  ASSERT_FALSE(error.findings.empty()) << error.problem;
  EXPECT_EQ(error.findings.front().kind, Property::Memory);
}

TEST(HarnessCertainty, HowLargeAnArgumentWithoutATypeIsIsAGuess) {
  const std::string text = R"(#include <pthread.h>
struct large { int a[9], b; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *kept;
void announce(void *data) { pthread_mutex_lock(&lock); kept = data; pthread_mutex_unlock(&lock); }
int use(void) {
  pthread_mutex_lock(&lock);
  const struct large *large = kept;
  int value = large ? large->b : 0;
  pthread_mutex_unlock(&lock);
  return value;
}
)";
  const Report report = exploredIn(text, "announce || use");
  EXPECT_TRUE(report.findings.empty());
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  const std::vector<std::string>& assumes = report.warnings.front().assumes;
  EXPECT_NE(std::find(assumes.begin(), assumes.end(), "what is passed is no larger than that"),
            assumes.end());
}

TEST(HarnessCertainty, HowManyNumbersAPointerMeansIsAGuess) {
  const auto sum = [](const std::string& beyond) {
    return "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int n, "
           "table[1];\n"
           "void put(int k) { pthread_mutex_lock(&m); n = k; pthread_mutex_unlock(&m); }\n"
           "int sum(int *of) {\n  pthread_mutex_lock(&m);\n  int s = " +
           beyond + "[n];\n  pthread_mutex_unlock(&m);\n  return s;\n}\n";
  };
  const Report guessed = exploredIn(sum("of"), "put || sum"), known = exploredIn(sum("table"), "put || sum");
  EXPECT_TRUE(guessed.findings.empty());
  EXPECT_FALSE(guessed.warnings.empty()) << guessed.problem;
  EXPECT_FALSE(known.findings.empty()) << known.problem;
}

TEST(HarnessCertainty, AHookThatNobodySetsIsOnlyPossible) {
  std::string text = kCurrent;
  text.replace(text.find("static struct item *current;"), 28,
               "static struct item *current; int (*hash)(int);");
  text.replace(text.find("ready ? current->value : 0"), 26, "ready ? hash(1) : 0");
  const Report report = exploredIn(text, "announce || use");
  EXPECT_TRUE(report.findings.empty());
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  EXPECT_EQ(report.warnings.front().assumes.back(), "nobody sets the function pointer before the call");
  // Who announces takes it away: that one is theirs.
  text.replace(text.find("ready = 1;"), 10, "ready = 1; hash = 0;");
  const Report error = exploredIn(text, "announce || use");
  ASSERT_FALSE(error.findings.empty()) << error.problem;
  EXPECT_EQ(error.findings.front().kind, Property::Memory);
}

TEST(HarnessCertainty, WhoWaitsForTheThreadAndDestroysItsLockTakesTheObjectDown) {
  const HarnessPlan plan = harnessesOf(R"(#include <pthread.h>
struct worker { pthread_t thread; pthread_mutex_t lock; int runs, rounds; };
static void *work(void *data) {
  struct worker *w = data;
  pthread_mutex_lock(&w->lock);
  while (w->runs && w->rounds < 2) w->rounds++;
  pthread_mutex_unlock(&w->lock);
  return 0;
}
int worker_start(struct worker *w) {
  pthread_mutex_init(&w->lock, 0);
  w->runs = 1;
  w->rounds = 0;
  return pthread_create(&w->thread, 0, work, w);
}
void worker_halt(struct worker *w) {
  pthread_mutex_lock(&w->lock);
  w->runs = 0;
  pthread_mutex_unlock(&w->lock);
  pthread_join(w->thread, 0);
  pthread_mutex_destroy(&w->lock);
}
void worker_kick(struct worker *w) {
  pthread_mutex_lock(&w->lock);
  w->rounds = 0;
  pthread_mutex_unlock(&w->lock);
}
)");
  EXPECT_FALSE(plan.harnesses.empty());
  for (const GeneratedHarness& harness : plan.harnesses)
    EXPECT_EQ(harness.title.find("worker_halt ||"), std::string::npos) << harness.title;
}

TEST(HarnessCertainty, AFailureBesideCallsWhoseValuesItNeverReadsIsOnlyPossible) {
  std::string text = kCurrent;
  text.replace(text.find("ready ? current->value : 0"), 26, "current->value");
  for (const char* title : {"announce || use", "use || use"}) {
    const Report report = exploredIn(text, title);
    EXPECT_TRUE(report.findings.empty()) << title;
  }
}

TEST(HarnessCertainty, WhatFailsBesideAnUnlockedRaceOfTheCallersIsOnlyPossible) {
  // Each call takes a lock, and none for the buffer: the object is one caller's.
  const std::string text = R"(#include <pthread.h>
#include <stdlib.h>
struct stream { pthread_mutex_t lock; char *buffer; int uses; };
void stream_init(struct stream *s) { pthread_mutex_init(&s->lock, 0); s->buffer = malloc(4); s->uses = 0; }
void stream_reset(struct stream *s) {
  pthread_mutex_lock(&s->lock);
  s->uses++;
  pthread_mutex_unlock(&s->lock);
  free(s->buffer);
  s->buffer = malloc(4);
}
)";
  const Report report = exploredIn(text, "stream_reset || stream_reset");
  EXPECT_TRUE(report.findings.empty());
  const auto freed = std::find_if(report.warnings.begin(), report.warnings.end(), [](const Finding& finding) {
    return finding.kind == Property::Memory && finding.message.starts_with("double free");
  });
  ASSERT_NE(freed, report.warnings.end()) << report.problem;
  EXPECT_TRUE(freed->possible);
  EXPECT_EQ(freed->assumes.back(), "callers hold no lock of their own");
  // Under the lock up to where it is freed, two calls free one buffer, whoever makes them.
  std::string wrong = text;
  const std::string apart =
      "  s->uses++;\n  pthread_mutex_unlock(&s->lock);\n  free(s->buffer);\n  s->buffer = malloc(4);\n";
  wrong.replace(
      wrong.find(apart), apart.size(),
      "  char *old = s->buffer;\n  pthread_mutex_unlock(&s->lock);\n  free(old);\n"
      "  pthread_mutex_lock(&s->lock);\n  s->buffer = malloc(4);\n  pthread_mutex_unlock(&s->lock);\n");
  const Report error = exploredIn(wrong, "stream_reset || stream_reset");
  ASSERT_FALSE(error.findings.empty()) << error.problem;
  EXPECT_TRUE(error.findings.front().message.starts_with("double free")) << error.findings.front().message;
}

TEST(HarnessCertainty, WhatAnAssertionSeesOfAGivenReferenceIsOnlyPossible) {
  const auto text = [](const char* put) {
    return std::string(
               "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"
               "struct chan { pthread_mutex_t lock; int users; };\n"
               "struct chan *chan_new(void) {\n  struct chan *c = calloc(1, sizeof *c);\n"
               "  if (!c) return 0;\n  pthread_mutex_init(&c->lock, 0);\n  c->users = 1;\n  return c;\n}\n"
               "void chan_get(struct chan *c) {\n  pthread_mutex_lock(&c->lock);\n"
               "  assert(c->users > 0);\n  c->users++;\n  pthread_mutex_unlock(&c->lock);\n}\n"
               "void chan_put(struct chan *c) {\n  pthread_mutex_lock(&c->lock);\n  ") +
           put + "\n}\n";
  };
  const Report shared = exploredIn(
      text("if (--c->users == 0) {\n    pthread_mutex_unlock(&c->lock);\n    free(c);\n    return;\n  }\n"
           "  pthread_mutex_unlock(&c->lock);"),
      "chan_get || chan_put");
  EXPECT_TRUE(shared.findings.empty()) << shared.findings.front().message;
  // Without references a call has left it wrong for a moment.
  const Report wrong =
      exploredIn(text("c->users = 0;\n  pthread_mutex_unlock(&c->lock);\n  pthread_mutex_lock(&c->lock);\n"
                      "  c->users = 1;\n  pthread_mutex_unlock(&c->lock);"),
                 "chan_get || chan_put");
  ASSERT_FALSE(wrong.findings.empty()) << wrong.problem;
  EXPECT_EQ(wrong.findings.front().kind, Property::Assert);
}

TEST(HarnessCertainty, OneReferenceThatTwoCallersShareIsOnlyPossible) {
  const auto text = [](const std::string& name, const std::string& isLast = "--e->references == 0") {
    return "#include <pthread.h>\n#include <stdlib.h>\n"
           "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
           "struct entry { int references, uses; };\n"
           "struct entry *entry_create(void) {\n"
           "  struct entry *e = calloc(1, sizeof *e);\n"
           "  if (e) e->references = 1;\n"
           "  return e;\n"
           "}\n"
           "void entry_use(struct entry *e) {\n"
           "  pthread_mutex_lock(&lock);\n"
           "  e->uses += e->references;\n"
           "  pthread_mutex_unlock(&lock);\n"
           "}\n"
           "void " +
           name +
           "(struct entry *e) {\n"
           "  pthread_mutex_lock(&lock);\n"
           "  if (" +
           isLast +
           ") free(e);\n"
           "  pthread_mutex_unlock(&lock);\n"
           "}\n";
  };
  // By the name, and by what the text does.
  for (const auto& [name, isLast] :
       {std::pair("entry_unref", "e->uses == 0"), std::pair("entry_expire", "--e->references == 0"),
        std::pair("entry_expire", "__atomic_sub_fetch(&e->references, 1, 5) == 0")}) {
    const Report shared = exploredIn(text(name, isLast), std::string("entry_use || ") + name);
    EXPECT_TRUE(shared.findings.empty()) << name << isLast;
    ASSERT_FALSE(shared.warnings.empty()) << shared.problem;
    EXPECT_EQ(shared.warnings.front().assumes.back(), "callers share one reference to the object");
  }
  const Report other = exploredIn(text("entry_expire", "e->uses == 0"), "entry_use || entry_expire");
  EXPECT_FALSE(other.findings.empty()) << other.problem;
}

TEST(HarnessCertainty, TheVariableThatHoldsTheObjectIsTheCallers) {
  const std::string text = R"(#include <pthread.h>
#include <stdlib.h>
struct entry { int uses; };
struct cache { pthread_mutex_t lock; int n; };
void cache_init(struct cache *c) { pthread_mutex_init(&c->lock, 0); c->n = 0; }
struct entry *entry_create(void) { return calloc(1, sizeof(struct entry)); }
void cache_use(struct cache *c, struct entry *e) {
  pthread_mutex_lock(&c->lock);
  c->n++;
  e->uses++;
  pthread_mutex_unlock(&c->lock);
}
void cache_forget(struct cache *c, struct entry **place) {
  pthread_mutex_lock(&c->lock);
  c->n--;
  *place = 0;
  pthread_mutex_unlock(&c->lock);
}
)";
  const Report report = exploredIn(text, "cache_use || cache_forget");
  EXPECT_TRUE(std::none_of(report.findings.begin(), report.findings.end(),
                           [](const Finding& finding) { return finding.kind == Property::Memory; }));
  const auto null = std::find_if(report.warnings.begin(), report.warnings.end(),
                                 [](const Finding& finding) { return finding.kind == Property::Memory; });
  ASSERT_NE(null, report.warnings.end()) << report.problem;
  EXPECT_EQ(null->assumes.back(), "callers share the variable that holds the object");
}

TEST(HarnessCertainty, AStartedThreadReadsWhatOnlyTheHarnessLeftNull) {
  const auto text = [](const std::string& more) {
    return "#include <pthread.h>\n#include <stdlib.h>\n"
           "struct queue { pthread_mutex_t lock; int size; };\n"
           "struct context { struct queue *queue; pthread_t thread; };\n"
           "static void *work(void *data) {\n  struct context *c = data;\n  c->queue->size++;\n"
           "  return 0;\n}\n"
           "void context_init(struct context *c) {\n  pthread_create(&c->thread, 0, work, c);\n" +
           more + "}\n";
  };
  const Report unset = exploredIn(text(""), "context_init");
  EXPECT_TRUE(unset.findings.empty());
  ASSERT_FALSE(unset.warnings.empty()) << unset.problem;
  EXPECT_EQ(unset.warnings.front().assumes.back(), "'context.queue' was not set up");
  // Set behind the start of the thread: too late.
  const Report late = exploredIn(text("  c->queue = calloc(1, sizeof *c->queue);\n"), "context_init");
  ASSERT_FALSE(late.findings.empty()) << late.problem;
  EXPECT_EQ(late.findings.front().message, "null pointer dereference");
}

/// The same where it comes by way of a local variable.
TEST(HarnessCertainty, ALocalVariableHoldsWhatOnlyTheHarnessLeftNull) {
  const auto text = [](const std::string& more) {
    return "#include <pthread.h>\n#include <stdlib.h>\n"
           "struct queue { pthread_mutex_t lock; int size; };\n"
           "struct context { struct queue *queue; pthread_t thread; int n; };\n"
           "static void *work(void *data) {\n  struct context *c = data;\n  struct queue *q = c->queue;\n"
           "  int *n = &c->n;\n  q->size += *n;\n  return 0;\n}\n"
           "void context_init(struct context *c) {\n  pthread_create(&c->thread, 0, work, c);\n" +
           more + "}\n";
  };
  const Report unset = exploredIn(text(""), "context_init");
  EXPECT_TRUE(unset.findings.empty());
  ASSERT_FALSE(unset.warnings.empty()) << unset.problem;
  EXPECT_EQ(unset.warnings.front().assumes.back(), "'queue' was not set up");
  const Report late = exploredIn(text("  c->queue = calloc(1, sizeof *c->queue);\n"), "context_init");
  ASSERT_FALSE(late.findings.empty()) << late.problem;
  EXPECT_EQ(late.findings.front().message, "null pointer dereference");
}

TEST(HarnessCertainty, AGlobalPointerThatIsPassedWasNotSetUp) {
  const auto text = [](const std::string& forget) {
    return "#include <pthread.h>\n#include <stdlib.h>\nstruct list { int first; };\n"
           "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
           "static struct list *handles;\nstatic int calls;\n"
           "static int first(struct list *l) { return l->first; }\n"
           "void begin(void) {\n  pthread_mutex_lock(&lock);\n"
           "  if (!handles) handles = calloc(1, sizeof *handles);\n  pthread_mutex_unlock(&lock);\n}\n"
           "void note(void) {\n  pthread_mutex_lock(&lock);\n  calls++;\n" +
           forget +
           "  pthread_mutex_unlock(&lock);\n}\n"
           "int yield(void) {\n  int n = 0;\n  pthread_mutex_lock(&lock);\n"
           "  if (calls) n = first(handles);\n  pthread_mutex_unlock(&lock);\n  return n;\n}\n";
  };
  const Report unset = exploredIn(text(""), "note || yield");
  EXPECT_TRUE(unset.findings.empty());
  ASSERT_FALSE(unset.warnings.empty()) << unset.problem;
  EXPECT_EQ(unset.warnings.front().assumes.back(), "'handles' was not set up");
  const Report forgotten = exploredIn(text("  handles = 0;\n"), "note || yield");
  ASSERT_FALSE(forgotten.findings.empty()) << forgotten.problem;
  EXPECT_EQ(forgotten.findings.front().message, "null pointer dereference");
}

TEST(HarnessCertainty, ThreadsOfTheSetUpThatTheCallNeverMeetsAreNoOthers) {
  const auto isError = [](const std::string& wait, const std::string& tried) {
    const Report report = exploredIn(
        "#include <assert.h>\n#include <pthread.h>\n"
        "struct pool { pthread_mutex_t lock, other; pthread_cond_t begun; int n, ready; };\n"
        "static void *work(void *data) {\n  struct pool *p = data;\n"
        "  pthread_mutex_lock(&p->other);\n  p->ready = 1;\n"
        "  pthread_cond_signal(&p->begun);\n  pthread_mutex_unlock(&p->other);\n  return 0;\n}\n"
        "void pool_init(struct pool *p) {\n  pthread_t t;\n"
        "  pthread_mutex_init(&p->lock, 0);\n  pthread_mutex_init(&p->other, 0);\n"
        "  pthread_cond_init(&p->begun, 0);\n  pthread_create(&t, 0, work, p);\n" +
            wait +
            "}\n"
            "void pool_add(struct pool *p, int *from) {\n  pthread_mutex_lock(&p->lock);\n"
            "  p->n++;\n  pthread_mutex_unlock(&p->lock);\n" +
            tried + "}\n",
        "pool_add || pool_add");
    EXPECT_FALSE(report.findings.empty() && report.warnings.empty()) << report.problem;
    return !report.findings.empty();
  };
  const std::string wait =
      "  pthread_mutex_lock(&p->other);\n"
      "  while (!p->ready) pthread_cond_wait(&p->begun, &p->other);\n"
      "  pthread_mutex_unlock(&p->other);\n";
  EXPECT_FALSE(isError(wait, "  assert(*from != 0);\n"));
  EXPECT_TRUE(isError("",
                      "  int tried = pthread_mutex_trylock(&p->other);\n  assert(tried == 0);\n"
                      "  pthread_mutex_unlock(&p->other);\n"));
}

}  // namespace
}  // namespace heddle::testing
