// Generated harnesses whose objects have function pointers: what these point to, and what is said of it.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

/// A table that is given an allocator. `BEHIND` stands behind the free.
constexpr const char* kTable = R"(#include <pthread.h>
#include <stddef.h>
struct mem { void *(*malloc)(size_t); void *(*realloc)(void *, size_t, size_t); void (*free)(void *, size_t); };
struct table { pthread_mutex_t lock; struct mem *m; int *cells; size_t count; };
int table_init(struct table *t, struct mem *m) {
  pthread_mutex_init(&t->lock, NULL);
  t->m = m;
  t->count = 2;
  t->cells = m->malloc(2 * sizeof *t->cells);
  return 0;
}
void table_grow(struct table *t) {
  pthread_mutex_lock(&t->lock);
  t->cells = t->m->realloc(t->cells, t->count * sizeof *t->cells, 3 * sizeof *t->cells);
  t->cells[2] = 0;
  t->count = 3;
  pthread_mutex_unlock(&t->lock);
}
void table_drop(struct table *t) {
  pthread_mutex_lock(&t->lock);
  if (t->cells) t->m->free(t->cells, t->count * sizeof *t->cells);
  BEHIND
  pthread_mutex_unlock(&t->lock);
}
)";

/// A connection whose type is a table of functions. `LOCK` and `UNLOCK` stand around what it counts.
constexpr const char* kConnection = R"(#include <pthread.h>
struct conn;
struct kind { int (*read)(struct conn *, char *, int); int (*write)(struct conn *, const char *, int); };
struct conn { const struct kind *kind; pthread_mutex_t lock; int count; };
int conn_fill(struct conn *c) {
  char buffer[4];
  int got = c->kind->read(c, buffer, 4);
  if (got <= 0) return 0;
  LOCK
  c->count += buffer[0];
  UNLOCK
  return got;
}
int conn_flush(struct conn *c) {
  pthread_mutex_lock(&c->lock);
  c->count = 0;
  pthread_mutex_unlock(&c->lock);
  return c->kind->write(c, "a", 1);
}
)";

std::string with(std::string text, const std::string& word, const std::string& by) {
  return text.replace(text.find(word), word.size(), by);
}

std::string connection(bool isLocked) {
  return with(with(kConnection, "  UNLOCK", isLocked ? "  pthread_mutex_unlock(&c->lock);" : ""), "  LOCK",
              isLocked ? "  pthread_mutex_lock(&c->lock);" : "");
}

bool takesForGranted(const std::vector<std::string>& assumed, const std::string& part) {
  return std::any_of(assumed.begin(), assumed.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

TEST(HarnessHooks, ATableThatAllocatesAndFreesDoesSoExactly) {
  const Report wrong = exploredIn(with(kTable, "BEHIND", "t->count = 0;"), "table_grow || table_drop");
  EXPECT_TRUE(wrong.findings.empty());
  ASSERT_FALSE(wrong.warnings.empty()) << wrong.problem;
  EXPECT_NE(wrong.warnings.front().freedAt.line, 0u) << wrong.warnings.front().message;
  EXPECT_TRUE(
      takesForGranted(wrong.warnings.front().assumes, "a 'struct mem' allocate and free as those of"));

  const Report right = exploredIn(with(kTable, "BEHIND", "t->cells = NULL;"), "table_grow || table_drop");
  EXPECT_EQ(right.verdict, Verdict::VerifiedWithinBounds) << right.problem;
  EXPECT_TRUE(right.warnings.empty());
}

TEST(HarnessHooks, WhatIsGivenATableDoesNotSetItUp) {
  const std::string cells =
      "static int *cells_create(struct mem *m, int count) { return m->malloc((size_t)count * sizeof(int)); "
      "}\n"
      "int *cells_new(struct mem *m) { return cells_create(m, 2); }\n";
  const std::string text = with(kTable, "BEHIND", "t->cells = NULL;");
  const HarnessPlan given = harnessesOf(text + cells);
  ASSERT_NE(harnessNamed(given, "table_grow || table_drop"), nullptr);
  EXPECT_FALSE(takesForGranted(harnessNamed(given, "table_grow || table_drop")->assumed, "cells_"));
  const HarnessPlan set = harnessesOf(
      text + "#include <stdlib.h>\nvoid mem_init(struct mem *m) { m->malloc = malloc; m->free = NULL; }\n");
  EXPECT_TRUE(takesForGranted(harnessNamed(set, "table_grow || table_drop")->assumed, "mem_init("));
}

TEST(HarnessHooks, BehindAFunctionThatNobodyKnowsTheExplorationGoesOn) {
  const Report racy = exploredIn(connection(false), "conn_fill || conn_flush");
  EXPECT_TRUE(racy.findings.empty());
  ASSERT_EQ(racy.warnings.size(), 1u) << racy.problem;
  const Finding& race = racy.warnings.front();
  EXPECT_EQ(race.kind, Property::Race);
  EXPECT_TRUE(takesForGranted(race.assumes, "'any kind.read', defined elsewhere, changes nothing but what"));
  EXPECT_TRUE(takesForGranted(race.assumes, "the caller's function is 'any kind.read'"));

  const Report right = exploredIn(connection(true), "conn_fill || conn_flush");
  EXPECT_EQ(right.verdict, Verdict::VerifiedWithinBounds) << right.problem;
  EXPECT_TRUE(right.warnings.empty());
}

TEST(HarnessHooks, AFunctionThatTheFilePutsThereIsTaken) {
  const std::string functions = R"(
static int twice(struct conn *c, char *text, int size) { text[0] = 1; return size; }
static int never(struct conn *c, char *text, int size) { return -1; }
static int quiet(struct conn *c, const char *text, int size) { return size; }
const struct kind kinds[] = {{twice, quiet}, {.read = twice}, {never, quiet}};
)";
  const HarnessPlan plan = harnessesOf(connection(true) + functions);
  const GeneratedHarness* harness = harnessNamed(plan, "conn_fill || conn_flush");
  ASSERT_NE(harness, nullptr);
  EXPECT_TRUE(harness->isOdd);
  EXPECT_TRUE(takesForGranted(harness->assumed, "'kind.read' is 'twice'"));
  EXPECT_TRUE(harness->hooks.empty());
  const Report report = exploredIn(connection(false) + functions, "conn_fill || conn_flush");
  EXPECT_FALSE(report.warnings.empty()) << report.problem;
}

TEST(HarnessHooks, AFunctionThatIsComparedWithNullMayBeNull) {
  const std::string text = R"(#include <pthread.h>
#include <assert.h>
struct sink { void (*told)(int), (*ended)(void); pthread_mutex_t lock; int count; };
void sink_add(struct sink *s, int value) {
  pthread_mutex_lock(&s->lock);
  if (s->told) s->told(value); else s->count = 1;
  s->ended();
  pthread_mutex_unlock(&s->lock);
}
)";
  const GeneratedHarness harness = *harnessNamed(harnessesOf(text), "sink_add || sink_add");
  EXPECT_NE(harness.text.find("if (__VERIFIER_nondet_bool()) *(void **)&(*object).told ="),
            std::string::npos);
  EXPECT_NE(harness.text.find("\n  *(void **)&(*object).ended ="), std::string::npos) << harness.text;
  const Report report = exploredIn(text, "sink_add || sink_add");
  EXPECT_EQ(report.verdict, Verdict::VerifiedWithinBounds) << report.problem;
  ASSERT_TRUE(report.reach);
  const auto isBranch = [](const Unreached& what) {
    return what.text.find("side of the") != std::string::npos;
  };
  EXPECT_TRUE(std::none_of(report.reach->unreached.begin(), report.reach->unreached.end(), isBranch));
}

TEST(HarnessHooks, ADescriptionHasTheFunctionsThatNobodyTests) {
  const std::string text = R"(#include <pthread.h>
struct hash { unsigned (*code)(int); int (*equal)(int, int); void (*trace)(int); };
struct set { pthread_mutex_t lock; unsigned last; };
void set_init(struct set *s) { pthread_mutex_init(&s->lock, 0); s->last = 0; }
void set_add(struct set *s, const struct hash *h, int key) {
  if (h->trace) h->trace(key);
  unsigned code = h->code(key);
  LOCK
  s->last = code;
  UNLOCK
}
void set_reset(struct set *s) { pthread_mutex_lock(&s->lock); s->last = 0; pthread_mutex_unlock(&s->lock); }
)";
  const std::string locked =
      with(with(text, "UNLOCK", "pthread_mutex_unlock(&s->lock);"), "LOCK", "pthread_mutex_lock(&s->lock);");
  const std::string late =
      with(with(text, "UNLOCK", "pthread_mutex_lock(&s->lock); pthread_mutex_unlock(&s->lock);"), "LOCK", "");
  const GeneratedHarness harness = *harnessNamed(harnessesOf(locked), "set_add || set_reset");
  EXPECT_TRUE(harness.isCertain);
  EXPECT_EQ(harness.text.find(".trace"), std::string::npos);
  EXPECT_TRUE(
      takesForGranted(harness.assumed, "'h' is all zero but for functions that are called without a"));
  EXPECT_EQ(exploredIn(locked, "set_add || set_reset").verdict, Verdict::VerifiedWithinBounds);
  const Report report = exploredIn(late, "set_add || set_reset");
  EXPECT_TRUE(report.findings.empty()) << "what is behind an unknown function rests on it";
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  EXPECT_EQ(report.warnings.front().kind, Property::Race);
}

/// A table of functions that another file defines. `BEHIND` stands behind the free.
constexpr const char* kElsewhere = R"(#include <pthread.h>
#include <stddef.h>
struct allocator { void *(*grab)(size_t, const char *); void *(*alloc)(size_t, const char *, int); void (*free)(void *); };
extern struct allocator allocator;
extern const struct allocator *current;
extern void (*told)(int), (*hook)(int);
struct list { pthread_mutex_t lock; int *items, resets; };
void list_init(struct list *l) {
  pthread_mutex_init(&l->lock, NULL);
  l->items = allocator.alloc(2 * sizeof *l->items, "list", 1);
  l->items[0] = l->items[1] = l->resets = 0;
}
void list_reset(struct list *l) {
  pthread_mutex_lock(&l->lock);
  l->resets++;
  if (l->items) allocator.free(l->items);
  BEHIND
  told(1);
  if (hook) hook(1);
  pthread_mutex_unlock(&l->lock);
}
)";

TEST(HarnessHooks, ATableThatNoFileDefinesAllocatesAndFrees) {
  const std::string right = with(kElsewhere, "BEHIND", "l->items = NULL;");
  const GeneratedHarness harness = *harnessNamed(harnessesOf(right), "list_reset || list_reset");
  EXPECT_TRUE(harness.isCertain);
  EXPECT_TRUE(takesForGranted(harness.assumed, "'allocator', which no file given defines, is 0 but for its"));
  EXPECT_EQ(harness.text.find(" hook __attribute__"), std::string::npos) << "it may be null: it is tested";
  const Report verified = exploredIn(right, "list_reset || list_reset");
  EXPECT_EQ(verified.verdict, Verdict::VerifiedWithinBounds) << verified.problem;
  EXPECT_TRUE(verified.warnings.empty());

  const Report wrong = exploredIn(with(kElsewhere, "BEHIND", ""), "list_reset || list_reset");
  ASSERT_EQ(wrong.findings.size() + wrong.warnings.size(), 1u) << wrong.problem;
  const Finding& twice = wrong.findings.empty() ? wrong.warnings.front() : wrong.findings.front();
  EXPECT_NE(twice.message.find("double free"), std::string::npos) << twice.message;
}

TEST(HarnessHooks, ATableThatAnotherFileDefinesIsThatOne) {
  Snapshot snapshot = harnessSnapshot(with(kElsewhere, "BEHIND", ""));
  const std::string other =
      "#include <stdlib.h>\n"
      "struct allocator { void *(*grab)(size_t, const char *); void *(*alloc)(size_t, const char *, int); "
      "void (*free)(void *); };\n"
      "static int ints[8];\n"
      "static void *mine(size_t size, const char *file, int line) { (void)size; (void)file; return ints + "
      "line; }\n"
      "static void kept(void *p) { (void)p; }\nstruct allocator allocator = {NULL, mine, kept};\n";
  Options options;
  options.harness = "list_reset || list_reset";
  for (const bool isOnlyNeeded : {true, false}) {
    snapshot.units = {{"/harness/other.c", other, commandFromFlags("/harness/other.c", {})}};
    snapshot.onlyNeededUnits = isOnlyNeeded;
    const Report report =
        pipelineEngine().analyze(snapshot, options, Budget().withSteps(200'000), Observer{});
    EXPECT_EQ(report.verdict, Verdict::VerifiedWithinBounds) << report.problem;
    EXPECT_TRUE(report.warnings.empty() && report.findings.empty());
  }
}

TEST(HarnessHooks, AFunctionThatFreesByItsNameDoesSo) {
  const auto text = [](const std::string& inside, const std::string& outside) {
    return "#include <stdlib.h>\n#include <pthread.h>\n"
           "struct cell { struct cell *next; void *item; };\n"
           "struct bag { pthread_mutex_t lock; struct cell *first; void (*free_item)(void *); };\n"
           "struct bag *bag_new(void (*free_item)(void *)) {\n  struct bag *b = calloc(1, sizeof *b);\n"
           "  if (!b) return NULL;\n  pthread_mutex_init(&b->lock, NULL);\n  b->free_item = free_item;\n"
           "  return b;\n}\n"
           "void bag_put(struct bag *b, void *item) {\n  struct cell *c = malloc(sizeof *c);\n"
           "  if (!c) return;\n  pthread_mutex_lock(&b->lock);\n  c->item = item;\n  c->next = b->first;\n"
           "  b->first = c;\n  pthread_mutex_unlock(&b->lock);\n}\n"
           "int bag_peek(struct bag *b) {\n  int found = 0;\n  pthread_mutex_lock(&b->lock);\n"
           "  char *at = b->first ? b->first->item : NULL;\n" +
           inside + "  pthread_mutex_unlock(&b->lock);\n" + outside +
           "  return found;\n}\n"
           "void bag_drop(struct bag *b) {\n  pthread_mutex_lock(&b->lock);\n  struct cell *c = b->first;\n"
           "  if (c) { b->first = c->next; b->free_item(c->item); free(c); }\n"
           "  pthread_mutex_unlock(&b->lock);\n}\n";
  };
  const std::string use = "  if (at) found = *at;\n", title = "bag_put || bag_peek || bag_drop";
  const Report late = exploredIn(text("", use), title);
  ASSERT_FALSE(late.warnings.empty());
  EXPECT_TRUE(std::any_of(late.warnings.begin(), late.warnings.end(), [](const Finding& finding) {
    return finding.message.find("use after free") != std::string::npos;
  }));
  EXPECT_TRUE(std::any_of(late.assumptions.begin(), late.assumptions.end(), [](const auto& assumption) {
    return assumption.text == "the function that is given for 'free_item' frees what it is given";
  }));
  const Report right = exploredIn(text(use, ""), title);
  EXPECT_TRUE(right.warnings.empty() && right.findings.empty());
  EXPECT_EQ(right.verdict, Verdict::VerifiedWithinBounds) << right.problem;
}

TEST(HarnessHooks, WhatTheHarnessItselfFreesNamesNoLineOfTheFile) {
  const Report report = exploredIn(
      "#include <stddef.h>\n"
      "struct calls { void *(*alloc)(void *, size_t); void (*free)(void *, void *); };\n"
      "struct box { int *p; const struct calls *calls; };\n"
      "int box_use(struct box *b) { b->calls->free(0, b->p); return *b->p; }\n",
      "box_use");
  ASSERT_FALSE(report.warnings.empty()) << report.problem;
  EXPECT_EQ(report.warnings[0].message, "use after free of '*b->p', freed at a line of the harness");
}

TEST(HarnessHooks, ANullThatAFunctionOfTheProgramMaySetIsOnlyPossible) {
  const auto toldOf = [](const std::string& parameter, const std::string& first) {
    return exploredIn(
        "#include <pthread.h>\nstruct shell { char *topic; };\n"
        "static struct { char *topic; pthread_mutex_t lock; int count; } data;\n"
        "int shell_load(" +
            parameter + ") {\n  struct shell mod = {0};\n" + first +
            "  pthread_mutex_lock(&data.lock);\n  data.topic = mod.topic;\n  data.count--;\n"
            "  int c = *data.topic;\n  pthread_mutex_unlock(&data.lock);\n  return c;\n}\n",
        "shell_load || shell_load");
  };
  const auto isUpToHook = [](const Report& report) {
    return report.findings.empty() &&
           std::any_of(report.warnings.begin(), report.warnings.end(), [](const Finding& finding) {
             return takesForGranted(finding.assumes, "no function that is given sets the pointer");
           });
  };
  EXPECT_TRUE(isUpToHook(toldOf("void (*mod_init)(struct shell *)", "  mod_init(&mod);\n")));
  EXPECT_FALSE(isUpToHook(toldOf("void", "")));
}

TEST(LoneCalls, AListOfArgumentsIsGivenWhatIsNothingOrLeadsToZeros) {
  const auto text = [](const std::string& test) {
    return "#include <stdarg.h>\nint set(int what, va_list list) {\n"
           "  if (what == 1) return va_arg(list, int);\n  const char *s = va_arg(list, const char *);\n  " +
           test + "return s[0];\n}\n";
  };
  const Report wrong = exploredIn(text(""), "set"), right = exploredIn(text("if (!s) return 0;\n  "), "set");
  ASSERT_EQ(wrong.warnings.size(), 1u) << wrong.problem;
  EXPECT_EQ(wrong.warnings[0].message, "null pointer dereference");
  EXPECT_TRUE(right.warnings.empty());
  EXPECT_EQ(right.verdict, Verdict::VerifiedWithinBounds) << right.problem;
}

}  // namespace
}  // namespace heddle::testing
