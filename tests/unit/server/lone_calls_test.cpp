// Harnesses in which one thread makes one call, with any arguments; each wrong function beside a right one.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

/// The messages of what is found where the function is called alone.
std::vector<std::string> shown(const std::string& text, const std::string& function) {
  const HarnessPlan plan = harnessesOf(text);
  const GeneratedHarness* harness = harnessNamed(plan, function);
  EXPECT_NE(harness, nullptr) << function;
  if (!harness) return {};
  EXPECT_TRUE(harness->isAlone);
  const Report report = exploredIn(text, function);
  EXPECT_TRUE(report.findings.empty()) << "which arguments callers pass, nobody has said";
  EXPECT_NE(report.verdict, Verdict::Verified);
  EXPECT_TRUE(std::none_of(report.reach->unreached.begin(), report.reach->unreached.end(),
                           [&](const Unreached& what) { return what.kind == Unreached::Kind::Function; }));
  std::vector<std::string> messages;
  for (const Finding& warning : report.warnings)
    if (warning.possible) messages.push_back(warning.message);
  return messages;
}

void expectOne(const std::string& wrong, const std::string& right, const std::string& function,
               const std::string& what) {
  const std::vector<std::string> found = shown(wrong, function);
  ASSERT_EQ(found.size(), 1u) << wrong;
  EXPECT_NE(found.front().find(what), std::string::npos) << found.front();
  EXPECT_TRUE(shown(right, function).empty()) << right;
}

TEST(LoneCalls, ATextHasAnEnd) {
  const auto text = [](const std::string& ends) {
    return "int before(const char *s) {\n  int n = 0;\n  while (" + ends +
           "s[n] != ',') n++;\n  return n;\n}\n";
  };
  expectOne(text(""), text("s[n] && "), "before", "out-of-bounds read of 'heddle_text");
}

TEST(LoneCalls, ObjectsWhoseMembersTheFileDoesNotKnowAreThere) {
  const auto text = [](const std::string& test) {
    return "struct hidden;\nstruct owner { struct hidden *h; int n; };\n"
           "int count(struct owner *o, struct hidden *other) {\n  if (!other) return 0;\n" +
           test + "  return o->h ? 8 / o->n : 0;\n}\n";
  };
  expectOne(text(""), text("  if (o->n == 0) return 0;\n"), "count", "division by zero");
}

TEST(LoneCalls, AnObjectIsMadeUpWhereItsMakerCannotBeCalled) {
  const auto text = [](const std::string& test) {
    return "#include <pthread.h>\n#include <stdlib.h>\nstruct box { int n; };\n"
           "struct box *box_create(pthread_t owner) {\n  struct box *b = malloc(sizeof *b);\n"
           "  if (b) b->n = owner != 0;\n  return b;\n}\n"
           "int box_share(struct box *b) {\n" +
           test + "  return 8 / b->n;\n}\n";
  };
  expectOne(text(""), text("  if (b->n == 0) return 0;\n"), "box_share", "division by zero");
}

TEST(LoneCalls, ASizeSaysHowMuchThereIs) {
  const auto text = [](const std::string& test) {
    return "#include <stddef.h>\nint number(const unsigned char *data, size_t len) {\n" + test +
           "  return data[1] << 8;\n}\n";
  };
  expectOne(text(""), text("  if (len < 2) return -1;\n"), "number", "out-of-bounds read of 'heddle_bytes");
}

TEST(LoneCalls, NumbersThatTheFunctionComparesWithArePassedToo) {
  const auto text = [](const std::string& place, const std::string& test) {
    return "enum part { PART_HOST = 50, PART_PORT };\nenum { ENCODE = 1 << 7, KEEP = 1 << 9 };\n"
           "int set(enum part part, unsigned flags, long most) {\n  int t[3] = {1, 2, 3}, at = 0;\n"
           "  switch (part) {\n    case PART_HOST: at = 1; break;\n    case PART_PORT: at = 2; break;\n"
           "    default: return 0;\n  }\n"
           "  if ((flags & ENCODE) && (flags & KEEP)) at += " +
           place + ";\n  if (most > 1000) at += " + test + ";\n  return t[at];\n}\n";
  };
  expectOne(text("1", "0"), text("0", "0"), "set", "out-of-bounds read of 't'");
  expectOne(text("0", "1"), text("0", "0"), "set", "out-of-bounds read of 't'");
}

TEST(LoneCalls, AListOfObjectsHasAsManyAsItsNumberSays) {
  const auto text = [](const std::string& half) {
    return "#include <stdlib.h>\nstruct word { int kind, place; };\n"
           "int *places(struct word **words, int count) {\n  if (count < 2) return NULL;\n"
           "  int *found = malloc(sizeof *found * (unsigned)(count" +
           half +
           "));\n  if (!found) return NULL;\n"
           "  for (int i = 0; i < count; ++i) found[i] = words[i]->place;\n  return found;\n}\n";
  };
  expectOne(text(" / 2"), text(""), "places", "out-of-bounds write to 'found'");
}

TEST(LoneCalls, TextsThatTheFunctionComparesWithArePassedToo) {
  const auto text = [](const std::string& room) {
    return "#include <string.h>\n#include <strings.h>\nint mode(const char *arg) {\n  char kind[" + room +
           "] = {0};\n  const char *at = arg;\n  if (strcasecmp(at, \"streaming\") == 0) return 1;\n"
           "  if (strncmp(arg, \"file:\", 5) == 0 && arg[5] == '/') strcpy(kind, arg);\n  return "
           "kind[0];\n}\n";
  };
  const std::vector<std::string> found = shown(text("7"), "mode");
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found.front().find("out-of-bounds write to 'kind"), std::string::npos) << found.front();
  EXPECT_TRUE(shown(text("8"), "mode").empty());
}

TEST(LoneCalls, ThereAreAsManyBytesAsTheFunctionAsksFor) {
  const auto text = [](const std::string& less) {
    return "#include <string.h>\nint header(const unsigned char *data, unsigned size) {\n"
           "  unsigned char copy[60];\n  if (size < 64) return -1;\n  memcpy(copy, data, size - " +
           less + ");\n  return copy[0];\n}\n";
  };
  expectOne(text("4"), text("(size < 68 ? 4 : size - 60)"), "header", "out-of-bounds write to 'copy");
}

TEST(LoneCalls, WhatTheFileKeepsToItselfIsCalledLast) {
  const auto text = [](const std::string& most) {
    return "struct ring { int cells[4]; unsigned first; struct ring *next; };\n"
           "void ring_init(struct ring *r) { r->first = 0; r->next = 0; }\n"
           "static int at(struct ring *r, unsigned step) {\n  int t[4] = {1, 2, 3, 4};\n"
           "  return t[step] + r->next->cells[(r->first + step) % 4];\n}\n"
           "int sum(struct ring *r, unsigned n) {\n  int s = 0;\n"
           "  for (unsigned i = 0; r->next && i < n && i < " +
           most + "; i++) s += at(r, i);\n  return s;\n}\n";
  };
  const HarnessPlan plan = harnessesOf(text("4"));
  const GeneratedHarness *inner = harnessNamed(plan, "at"), *outer = harnessNamed(plan, "sum");
  ASSERT_TRUE(inner && outer);
  EXPECT_TRUE(inner->isInner && !outer->isInner);
  EXPECT_LT(inner->rank, outer->rank);
  EXPECT_EQ(inner->text.find("ring_init("), std::string::npos) << "it may be called in any state";
  // That a number may be 4, and the next ring null, is for its callers to keep from it.
  const std::vector<std::string> found = shown(text("4"), "at");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found.front().find("'t' (index 4 of 4)"), std::string::npos) << found.front();
}

TEST(LoneCalls, AWayThatKeepsALock) {
  const auto text = [](const std::string& unlock) {
    return "#include <pthread.h>\nstruct box { pthread_mutex_t lock; int v; };\n"
           "void box_init(struct box *b) { pthread_mutex_init(&b->lock, 0); b->v = 0; }\n"
           "void box_destroy(struct box *b) { pthread_mutex_destroy(&b->lock); }\n"
           "int box_put(struct box *b, int v) {\n  pthread_mutex_lock(&b->lock);\n"
           "  if (v == 3) {\n" +
           unlock + "    return -1;\n  }\n  b->v = v;\n  pthread_mutex_unlock(&b->lock);\n  return 0;\n}\n";
  };
  expectOne(text(""), text("    pthread_mutex_unlock(&b->lock);\n"), "box_put", "while it is locked");
}

TEST(LoneCalls, AWayThatFreesTwice) {
  const auto text = [](const std::string& reset) {
    return "#include <stdlib.h>\nint twice(int how) {\n  char *p = malloc(4);\n  if (!p) return -1;\n"
           "  if (how == 2) {\n    free(p);\n" +
           reset + "  }\n  free(p);\n  return 0;\n}\n";
  };
  expectOne(text(""), text("    p = NULL;\n"), "twice", "double free");
}

TEST(LoneCalls, AFunctionThatLooksWrongIsInFrontOfOthers) {
  const HarnessPlan plan = harnessesOf(R"(#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b;
int get(void) { pthread_mutex_lock(&lock); int v = a; pthread_mutex_unlock(&lock); return v; }
int put(int v) {
  pthread_mutex_lock(&lock);
  if (v < 0) return -1;
  b = v;
  pthread_mutex_unlock(&lock);
  return 0;
}
int sum(int v) { return v + 1; }
)");
  const auto rank = [&](const char* title) {
    const GeneratedHarness* harness = harnessNamed(plan, title);
    return harness ? harness->rank : 0;
  };
  EXPECT_GT(rank("put"), rank("get"));
  EXPECT_LT(rank("sum"), rank("put || put"));
}

/// `test`: another function.
std::string nodes(const std::string& test) {
  return "struct node { struct node *next; int *cells; int count; };\n"
         "int sum(struct node *n) {\n  int s = n->next->count;\n  s += n->cells[n->count];\n  return "
         "s;\n}\n" +
         test;
}

TEST(LoneCalls, APointerMayBeNullWhereTheFileTestsIt) {
  EXPECT_TRUE(shown(nodes(""), "sum").empty()) << "nobody takes it to be null, and an index fits";
  for (const char* test :
       {"int last(struct node *n) { return n->next == 0; }\n",
        "int last(struct node *n) { struct node *next = n->next; if (next) return 0; return 1; }\n",
        "int length(struct node *n) { int c = 0; for (n = n->next; n; n = n->next) c++; return c; }\n"}) {
    const std::vector<std::string> found = shown(nodes(test), "sum");
    ASSERT_EQ(found.size(), 1u) << test;
    EXPECT_EQ(found.front(), "null pointer dereference");
  }
}

TEST(LoneCalls, AssertionsSayWhatCallersKeepTo) {
  const std::string text =
      "#include <assert.h>\nint half(int n) {\n  int a[3] = {0};\n  assert(n < 3);\n  return a[n];\n}\n";
  EXPECT_TRUE(shown(text, "half").empty());
  const Report report = exploredIn(text, "half");
  EXPECT_TRUE(std::any_of(report.assumptions.begin(), report.assumptions.end(), [](const auto& assumption) {
    return assumption.text.starts_with("assertions hold");
  }));
  EXPECT_EQ(shown("int half(int n) {\n  int a[3] = {0};\n  return a[n];\n}\n", "half").size(), 1u);
}

TEST(LoneCalls, PointersInGlobalVariablesLeadToObjects) {
  const std::string text =
      "struct conf { int port; struct conf *next; };\nstatic struct conf *conf;\n"
      "struct server { struct conf *own; } server;\n"
      "int port(void) { return conf->port + server.own->port; }\n";
  EXPECT_TRUE(shown(text, "port").empty());
  EXPECT_EQ(exploredIn(text, "port").verdict, Verdict::VerifiedWithinBounds);
}

/// A stack of two places; `test` stands in front of what takes one away.
std::string stack(const std::string& test) {
  return "#include <stdlib.h>\nstruct stack { int *cells[2]; int count; };\n"
         "struct stack *stack_new(void) { return calloc(1, sizeof(struct stack)); }\n"
         "void stack_free(struct stack *s) {\n  while (s->count > 0) free(s->cells[--s->count]);\n  "
         "free(s);\n}\n"
         "int stack_push(struct stack *s, int v) {\n  if (s->count == 2) return -1;\n"
         "  int *cell = malloc(sizeof *cell);\n  if (!cell) return -1;\n  *cell = v;\n"
         "  s->cells[s->count++] = cell;\n  return 0;\n}\n"
         "int stack_drop(struct stack *s) {\n  if (s->count == 0) return -1;\n"
         "  free(s->cells[s->count - 1]);\n" +
         test + "  return 0;\n}\n";
}

TEST(LoneCalls, WhatOneCallLeavesTheNextOneMeets) {
  const std::string title = "stack_push | stack_drop";
  const std::vector<std::string> found = shown(stack(""), title);
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found.front().find("double free"), std::string::npos) << found.front();
  EXPECT_TRUE(shown(stack("  s->count--;\n"), title).empty());
  for (const char* one : {"stack_push", "stack_drop"})
    EXPECT_TRUE(shown(stack(""), one).empty()) << "one call alone shows nothing";
}

TEST(LoneCalls, OfManyCallsThoseThatChangeTheObjectAreInTheRow) {
  std::string text = stack("");
  for (char name = 'a'; name < 'k'; ++name)
    text.insert(text.find("int stack_push"),
                std::string("int stack_see_") + name + "(struct stack *s) { return s->count; }\n");
  text += "void stack_end(struct stack *s) { if (s) stack_free(s); }\n";
  const HarnessPlan plan = harnessesOf(text);
  const auto row = std::find_if(plan.harnesses.begin(), plan.harnesses.end(), [](const auto& harness) {
    return harness.isAlone && harness.functions.size() > 2;
  });
  ASSERT_NE(row, plan.harnesses.end());
  const std::set<std::string> functions(row->functions.begin(), row->functions.end());
  EXPECT_TRUE(functions.contains("stack_push") && functions.contains("stack_drop"));
  EXPECT_FALSE(functions.contains("stack_end")) << "nothing comes behind it";
}

TEST(LoneCalls, AListGrowsFromNothing) {
  const auto text = [](const std::string& test) {
    return "#include <stdlib.h>\n#include <string.h>\nstruct word { struct word *next; char *text; };\n"
           "int word_add(struct word **list, const char *text) {\n"
           "  struct word *w = calloc(1, sizeof *w);\n  if (!w) return -1;\n"
           "  if (text && strlen(text)) {\n    w->text = strdup(text);\n"
           "    if (!w->text) { free(w); return -1; }\n  }\n"
           "  w->next = *list;\n  *list = w;\n  return 0;\n}\n"
           "int word_count(const struct word *list) {\n  int n = 0;\n"
           "  for (; list; list = list->next) n += " +
           test + "strlen(list->text) > 1;\n  return n;\n}\n";
  };
  const std::string title = "word_add | word_count";
  const std::vector<std::string> found = shown(text(""), title);
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found.front().find("null pointer"), std::string::npos) << found.front();
  EXPECT_TRUE(shown(text("list->text && "), title).empty());
}

TEST(LoneCalls, APlaceInATextHasATextBehindIt) {
  const auto text = [](const std::string& end) {
    return "int skip(const char **at) {\n  int n = 0;\n  while (" + end +
           "**at != ']') ++*at, ++n;\n  return n;\n}\n";
  };
  const std::vector<std::string> found = shown(text(""), "skip");
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found.front().find("out-of-bounds read of '*at'"), std::string::npos) << found.front();
  EXPECT_TRUE(shown(text("**at && "), "skip").empty());
}

TEST(LoneCalls, WhatIsFarFromTheCallNoFunctionHasToSetUp) {
  std::string text = "#include <stdlib.h>\n#include <string.h>\nstruct o5 { int n; };\n";
  for (int i = 4; i >= 0; --i) {
    const std::string own = "o" + std::to_string(i), next = "o" + std::to_string(i + 1);
    text += "struct " + own + " { struct " + next + " *in; };\nstruct " + own + " *" + own + "_new(struct " +
            next + " *in) {\n  struct " + own + " *o = calloc(1, sizeof *o);\n" +
            "  if (o) o->in = in;\n  return o;\n}\n";
  }
  text += "struct o5 *o5_new(void) { return calloc(1, sizeof(struct o5)); }\n";
  const auto use = [](const std::string& most) {
    return "int use(struct o0 *o, unsigned at) {\n  int t[3] = {0};\n  if (at > " + most +
           ") return o->in != 0;\n  return t[at];\n}\n";
  };
  EXPECT_EQ(shown(text + use("3"), "use").size(), 1u);
  EXPECT_TRUE(shown(text + use("2"), "use").empty());
}

TEST(LoneCalls, WhatSetsUpIsGivenMemoryOnly) {
  const HarnessPlan plan = harnessesOf(
      "struct ring { int cells[4]; int first; };\n"
      "void ring_init(struct ring *r, int first) { r->first = first; r->cells[first] = 0; }\n"
      "int ring_get(struct ring *r) { return r->cells[r->first]; }\n");
  const GeneratedHarness* harness = harnessNamed(plan, "ring_init");
  ASSERT_NE(harness, nullptr);
  const std::string call = "ring_init(";
  const size_t first = harness->text.find(call);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(harness->text.find(call, first + 1), std::string::npos) << harness->text;
}

TEST(LoneCalls, AParameterIsWhatTheFunctionTakesItFor) {
  const auto text = [](const std::string& taken, const std::string& most) {
    return "#include <stddef.h>\nstruct base { int kind; };\nstruct middle { struct base b; int n; };\n"
           "struct whole { struct middle m; int at; struct base part; };\n"
           "int get(struct base *given) {\n  struct middle *m = (struct middle *)given;\n"
           "  struct whole *o = " +
           taken + ";\n  int t[3] = {0};\n  if (o->at < 0 || o->at > " + most +
           ") return m == 0;\n  return t[o->at];\n}\n";
  };
  const std::string first = "(struct whole *)given",
                    within = "((struct whole *)((char *)given - offsetof(struct whole, part)))";
  expectOne(text(first, "3"), text(first, "2"), "get", "out-of-bounds read of 't'");
  const auto inside = [&](const std::string& most) {
    std::string body = text(within, most);
    const std::string other = "struct middle *m = (struct middle *)given";
    return body.replace(body.find(other), other.size(), "void *m = given");
  };
  expectOne(inside("3"), inside("2"), "get", "out-of-bounds read of 't'");
}

TEST(LoneCalls, WhatLiesInStructuresAndArraysMayHoldAnything) {
  const auto text = [](const std::string& mask) {
    return "struct part { int n, at[4]; unsigned char id[8]; };\nstruct all { long before; struct part in; "
           "};\n"
           "int use(struct all *o) {\n  int t[3] = {0};\n"
           "  if (o->in.at[2] != 7 || o->in.id[5] != 200) return 0;\n  return t[o->in.n & " +
           mask + "];\n}\n";
  };
  expectOne(text("3"), text("1"), "use", "out-of-bounds read of 't'");
}

TEST(LoneCalls, BitFieldsMayHoldAnything) {
  const auto text = [](const std::string& mask) {
    return "struct part { int n; unsigned a : 3, b : 7; };\nstruct all { char c; struct part in; _Bool d : "
           "1; };\n"
           "int use(struct all *o) {\n  int t[3] = {0};\n"
           "  if (o->in.a != 5 || o->in.b != 99 || !o->d) return 0;\n  return t[o->in.n & " +
           mask + "];\n}\n";
  };
  expectOne(text("3"), text("1"), "use", "out-of-bounds read of 't'");
}

TEST(LoneCalls, AKeptHarnessMakesItsObjectsAtOnce) {
  const HarnessPlan plan =
      harnessesOf("struct o { int n; struct o *next; };\nint use(struct o *o) { return o->n; }\n");
  const GeneratedHarness* harness = harnessNamed(plan, "use");
  ASSERT_NE(harness, nullptr);
  EXPECT_NE(harness->text.find("extern void heddle_lazily"), std::string::npos);
  const std::string kept = standAlone(*harness, "file.c");
  EXPECT_EQ(kept.find("extern void heddle_lazily"), std::string::npos) << "it builds natively, too";
  EXPECT_NE(kept.find("static void heddle_lazily"), std::string::npos);
}

TEST(LoneCalls, BehindWhatSetsUpComesAnyState) {
  const auto text = [](const std::string& size) {
    return "#include <stdlib.h>\nstruct meter { int n; };\n"
           "struct meter *meter_new(void) { return calloc(1, sizeof(struct meter)); }\n"
           "void meter_free(struct meter *m) { free(m); }\n"
           "int meter_get(struct meter *m) {\n  int t[" +
           size + "] = {0};\n  if (m->n != 5) return 0;\n  return t[m->n];\n}\n";
  };
  expectOne(text("5"), text("6"), "meter_get", "out-of-bounds read of 't'");
}

TEST(LoneCalls, AnObjectOnWhichNoWayComesToItsEndIsMadeUpToo) {
  const auto text = [](const std::string& size) {
    return "#include <stdlib.h>\nstruct box { int *args; int n; };\n"
           "struct box *box_new(void) { return calloc(1, sizeof(struct box)); }\n"
           "void box_free(struct box *b) { free(b); }\n"
           "int box_run(struct box *b) {\n  int t[" +
           size + "] = {0};\n  if (b->args[0] != 5) return 0;\n  return t[b->args[0]];\n}\n";
  };
  const Report wrong = exploredIn(text("5"), "box_run"), right = exploredIn(text("6"), "box_run");
  ASSERT_EQ(wrong.warnings.size(), 1u);
  EXPECT_NE(wrong.warnings[0].message.find("out-of-bounds read of 't'"), std::string::npos);
  ASSERT_EQ(right.warnings.size(), 1u);
  EXPECT_EQ(right.warnings[0].message, "null pointer dereference") << "as it is set up";
}

TEST(LoneCalls, WhatIsNeverReadTellsNoWaysApart) {
  std::string text = "struct node { struct node *n0";
  for (int i = 1; i < 24; ++i) text += ", *n" + std::to_string(i);
  text += "; int n; };\nint use(struct node *o) {\n";
  for (int i = 0; i < 24; ++i)
    text += "  if (o->n == " + std::to_string(i) + ") return o->n" + std::to_string(i) + " != 0;\n";
  text += "  return o->n5 ? o->n5->n : 0;\n}\n";
  const Report report = exploredIn(text, "use");
  EXPECT_EQ(report.verdict, Verdict::VerifiedWithinBounds);
  EXPECT_LE(report.stats.paths, 64u);
}

TEST(LoneCalls, WhatAFileGivesItsOwnFunctionsIsAsLargeAsItIs) {
  const auto text = [](const std::string& test) {
    return "#include <string.h>\nstatic void copy(const unsigned char *data, size_t size, unsigned char "
           "*out) {\n" +
           test +
           "  memcpy(out, data, size);\n}\n"
           "int take(const unsigned char *data, size_t size) {\n  unsigned char small[40], large[90];\n"
           "  copy(data, size, large);\n  copy(data, size, small);\n  return small[0];\n}\n";
  };
  expectOne(text(""), text("  if (size > 40) return;\n"), "copy", "out-of-bounds write to 'heddle_bytes");
}

TEST(LoneCalls, AFailedAllocationIsNoMatterOfTheCaller) {
  const auto shownIn = [](const std::string& text, bool mayFail) {
    Snapshot snapshot = harnessSnapshot(text);
    Options options;
    options.harness = "make";
    snapshot.environment.mallocMayFail = mayFail;
    return pipelineEngine()
        .analyze(snapshot, options, Budget().withSteps(200'000), Observer{})
        .warnings.size();
  };
  const auto text = [](const std::string& test) {
    return "#include <stdlib.h>\nstruct set { int n; };\nstatic struct set *make(int n) {\n"
           "  struct set *s = malloc(sizeof *s);\n" +
           test + "  s->n = n;\n  return s;\n}\nstruct set *set_new(void) { return make(3); }\n";
  };
  EXPECT_EQ(shownIn(text(""), true), 1u);
  EXPECT_EQ(shownIn(text(""), false), 0u);
  EXPECT_EQ(shownIn(text("  if (!s) return 0;\n"), true), 0u);
}

}  // namespace
}  // namespace heddle::testing
