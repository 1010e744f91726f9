// Guesses from the text about memory that is freed: used or freed once more, or left where others free it.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/survey/survey.h"
#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kFreedHead = R"(#include <stdlib.h>
#include <stdio.h>
struct node { char *name; int n; struct node *next; struct { void *options; int id; } filters[5]; };
struct vec { int n; };
void vec_free(struct vec *v); struct node *node_new(void); void node_free(struct node *n); void node_unref(struct node *n);
void log_it(const struct node *n); void forget(void *key); int fill(const void *from, void *to); char *dup(const char *s); void other(void);
static void drop(struct node *p) { if (!p) return; free(p->name); free(p); }
static void clear(struct node *p) { free(p->name); p->name = NULL; }
)";

/// "line value other callee" of each that is of one of the kinds, by lines of `more`.
std::string slipsOf(const std::string& more, std::initializer_list<ValueSlip::Kind> kinds) {
  std::vector<std::string> lines;
  for (const ValueSlip& slip : surveyOf(harnessSnapshot(kFreedHead + more)).valueSlips)
    if (std::find(kinds.begin(), kinds.end(), slip.kind) != kinds.end())
      lines.push_back(std::to_string(slip.line - 8) + " " + slip.value + " " +
                      std::to_string(slip.other - 8) + " " + slip.callee + "\n");
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::string usesIn(const std::string& body) {
  return slipsOf("int f(struct node *p, int i) {\n" + body + "\nreturn 0; }\n", {ValueSlip::Kind::UsedFreed});
}

std::string againIn(const std::string& body) {
  return slipsOf("int f(struct node *p, int i) {\n" + body + "\nreturn 0; }\n",
                 {ValueSlip::Kind::FreedAgain});
}

TEST(FreedValues, AUseThatEveryWayFromTheFreeReaches) {
  EXPECT_EQ(usesIn("if (i) free(p);\np->n = 1;"), "3 p 2 free\n");
  EXPECT_EQ(usesIn("if (i) free(p);\nfill(&p->filters, p->filters);"), "3 p 2 free\n") << "a part of it";
  EXPECT_EQ(usesIn("if (i) { free(p); return 1; }\np->n = 1;"), "");
  EXPECT_EQ(usesIn("if (i) free(p);\nif (!i) p->n = 1;"), "") << "conditions are not evaluated";
  EXPECT_EQ(usesIn("if (i) free(p);\np = node_new();\np->n = 1;"), "");
  EXPECT_EQ(usesIn("while (p) { struct node *next = p->next;\nfree(p); p = next; }"), "");
}

TEST(FreedValues, AUseThatAllWaysFree) {
  EXPECT_EQ(usesIn("free(p);\nif (i) log_it(p);"), "3 p 2 free\n");
  EXPECT_EQ(usesIn("drop(p);\nif (i) return p->n;"), "3 p 2 drop\n") << "a function of the file that frees";
  EXPECT_EQ(usesIn("node_free(p);\nif (i) return p->n;"), "3 p 2 node_free\n");
  EXPECT_EQ(usesIn("node_unref(p);\nif (i) return p->n;"), "") << "others may have it";
  EXPECT_EQ(usesIn("free(p);\nif (i) printf(\"%p\", (void *)p);"), "") << "only the address";
  EXPECT_EQ(usesIn("free(p);\nforget(p);"), "") << "only the address";
  EXPECT_EQ(usesIn("{ FILE *p = fopen(\"a\", \"r\"); fclose(p); }\np->n = 1;"), "") << "another variable";
  EXPECT_EQ(usesIn("struct vec *v = (struct vec *)p;\nvec_free(v);\nreturn v->n;"), "")
      << "nobody makes such: its parts are freed";
  EXPECT_EQ(usesIn("free(p->name);\nother();\nreturn p->name[0];"), "") << "somebody may have set it";
  EXPECT_EQ(usesIn("free(p->name);\nreturn p->name[0];"), "3 p->name 2 free\n");
  EXPECT_EQ(slipsOf("void book_free(const void *a, unsigned long n);\nint f(struct node *p) {\n"
                    "book_free(p, 8);\nreturn p->n; }\n",
                    {ValueSlip::Kind::UsedFreed}),
            "")
      << "who frees it changes it";
  EXPECT_EQ(
      slipsOf(
          "#include <stdio.h>\nvoid note_free(void *a);\nint f(FILE *file) {\nchar *p;\nunsigned long n;\n"
          "do {\nif (getline(&p, &n, file) < 0) return 1;\nif (p) { if (*p == 'a') return 2;\n"
          "note_free(p); }\n} while (p);\nreturn 0; }\n",
          {ValueSlip::Kind::UsedFreed}),
      "")
      << "a function of the system that is given its address";
}

TEST(FreedValues, ASecondFree) {
  EXPECT_EQ(againIn("free(p->name);\ndrop(p);"), "3 p->name 2 free\n");
  EXPECT_EQ(againIn("drop(p);\nfree(p);"), "3 p 2 drop\n");
  EXPECT_EQ(againIn("if (i) free(p);\nif (p) free(p);"), "3 p 2 free\n") << "it is not null";
  EXPECT_EQ(againIn("struct node v; v.name = dup(\"\");\nfree(v.name);\nclear(&v);"), "4 v.name 3 free\n");
  EXPECT_EQ(againIn("clear(p);\ndrop(p);"), "") << "it is null";
  EXPECT_EQ(againIn("free(p->name);\np->name = NULL;\ndrop(p);"), "");
  EXPECT_EQ(againIn("if (i) { free(p); goto out; }\nfree(p);\nout: ;"), "");
  EXPECT_EQ(againIn("for (i = 0; i < 5; ++i)\nfree(p->filters[i].options);"), "") << "another element";
}

std::string leftIn(const std::string& functions) {
  return slipsOf(functions, {ValueSlip::Kind::LeftFreed});
}

TEST(FreedValues, APlaceThatAnotherWaySets) {
  const auto rename = [](const std::string& way) {
    return "int rename_it(char **name, int i) {\nchar *made = dup(*name);\nif (!made) { free(*name);" + way +
           "\nreturn 3; }\nfree(*name);\n*name = made;\nreturn 0; }\n";
  };
  EXPECT_EQ(leftIn(rename("")), "3 *name 4 free\n");
  EXPECT_EQ(leftIn(rename(" *name = NULL;")), "");
  EXPECT_EQ(
      leftIn(
          "#define MY_ASSERT(e) do { if (!(e)) return -1; } while (0)\nint rename_it(char **name, int i) {\n"
          "free(*name);\nMY_ASSERT(i > 0);\n*name = dup(\"a\");\nreturn 0; }\n"),
      "")
      << "an assertion";
}

TEST(FreedValues, APlaceThatTheEndOfTheObjectFrees) {
  const std::string end =
      "void node_end(void *given) { struct node *p = given;\n"
      "for (int i = 0; p->filters[i].id; ++i) free(p->filters[i].options); free(p); }\n";
  const auto update = [&](const std::string& name, const std::string& rest) {
    return end + "int " + name + "(void *given, const void *from) { struct node *p = given;\n" +
           "for (int i = 0; p->filters[i].id; ++i) free(p->filters[i].options);\n" + rest + " }\n";
  };
  EXPECT_EQ(leftIn(update("update", "return fill(from, p->filters);")), "4 p->filters[i].options 5 free\n");
  EXPECT_EQ(
      leftIn(update("update", "const int r = fill(from, p->filters);\nif (r != 0)\nreturn r;\nreturn 0;")),
      "4 p->filters[i].options 7 free\n");
  EXPECT_EQ(leftIn(update("update", "p->filters[0].id = 0;\nreturn fill(from, p->filters);")), "");
  EXPECT_EQ(leftIn(update("update", "fill(from, p->filters);\nreturn 0;")), "");
  EXPECT_EQ(leftIn(update("update_clear", "return 0;")), "") << "its end, too";
  EXPECT_EQ(leftIn(update("update", "free(p);\nreturn 0;")), "");
}

/// What it has made itself nobody else knows yet.
TEST(FreedValues, WhatAFunctionTakesBackIsNotLeft) {
  EXPECT_EQ(leftIn("void node_end(struct node *p) { free(p->name); free(p); }\n"
                   "int node_begin(struct node *p) { p->name = dup(\"\");\n"
                   "if (!(p->next = node_new())) { free(p->name);\nreturn 1; }\nreturn 0; }\n"),
            "");
}

}  // namespace
}  // namespace heddle::testing
