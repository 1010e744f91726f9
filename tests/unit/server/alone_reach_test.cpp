// A call alone comes to the function, with all values that its types have.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

size_t shownIn(const std::string& text, const std::string& title) {
  const Report report = exploredIn(text, title);
  EXPECT_NE(report.verdict, Verdict::Unsupported) << report.problem;
  return report.findings.size() + report.warnings.size();
}

/// Enumerations without negative constants are unsigned: none of their values is below -1.
TEST(AloneReach, AnEnumerationIsAnyOfItsValues) {
  for (const char* first : {"NONE", "NONE = -1"}) {
    const auto text = [&](const std::string& test) {
      return std::string("enum kind { ") + first + ", ONE, TWO };\nstruct item { enum kind kind; };\n" +
             "int take(enum kind kind, const struct item *item) {\n  int *p = 0;\n" + test +
             "  return 0;\n}\n";
    };
    EXPECT_EQ(shownIn(text("  if (kind == TWO) return *p;\n"), "take"), 1u) << first;
    EXPECT_EQ(shownIn(text("  if (item->kind == TWO) return *p;\n"), "take"), 1u) << first;
    EXPECT_EQ(shownIn(text("  if (kind == TWO && kind == ONE) return *p;\n"), "take"), 0u) << first;
  }
}

TEST(AloneReach, PointersLeadToPointersOfPointers) {
  const auto text = [](const std::string& test) {
    return "#include <stdlib.h>\nstruct prefix { char *text; };\nstruct topic { struct prefix *prefix; };\n"
           "struct bridge { struct topic *topic; };\nstruct context { struct bridge *bridge; };\n"
           "int take(struct context *c) {\n  int *p = 0;\n"
           "  if (c->bridge && c->bridge->topic && c->bridge->topic->prefix && "
           "c->bridge->topic->prefix->text" +
           test + ") return *p;\n  return 0;\n}\n";
  };
  EXPECT_EQ(shownIn(text(""), "take"), 1u);
  EXPECT_EQ(shownIn(text(" && !c->bridge"), "take"), 0u);
}

/// What sets the object up fails with what it is given here, which says nothing of the call.
TEST(AloneReach, AFailureOfTheSetUpIsNotTheEnd) {
  const std::string text =
      "#include <string.h>\nstruct handle { char name[40]; int n; };\n"
      "void handle_init(struct handle *h, const char *name) { memcpy(h->name, name, 40); }\n"
      "int handle_use(struct handle *h) {\n  int *p = 0;\n  return h->n == 3 ? *p : 0;\n}\n";
  const Report report = exploredIn(text, "handle_use");
  ASSERT_EQ(report.warnings.size(), 1u) << report.problem;
  EXPECT_EQ(report.warnings.front().place.function, "handle_use");
}

/// Who follows a pointer that is left, uses freed memory: a failing allocation is the usual way there.
TEST(AloneReach, NoPointerIsLeftToFreedMemory) {
  const auto leftBy = [](const std::string& body, const std::string& name = "coder_set") {
    Snapshot snapshot = harnessSnapshot(
        "#include <stdlib.h>\n#include <string.h>\nstruct filter { char *name; };\n"
        "struct coder { int n; struct filter filter; };\n"
        "int " +
        name + "(struct coder *c, char **at) {\n" + body + "  return 0;\n}\n");
    snapshot.environment.mallocMayFail = true;
    Options options;
    options.harness = name;
    const Report report =
        pipelineEngine().analyze(snapshot, options, Budget().withSteps(200'000), Observer{});
    std::string lines;
    for (const Finding& warning : report.warnings) {
      EXPECT_NE(warning.message.find("is left pointing to memory that is freed here"), std::string::npos)
          << warning.message;
      lines += std::to_string(warning.place.line) + " ";
    }
    return lines;
  };
  const std::string made = "  char *name = malloc(4);\n  if (!name) return -1;\n",
                    kept = "  c->filter.name = name;\n  strcpy(name, \"abc\");\n";
  EXPECT_EQ(leftBy("  free(c->filter.name);\n" + made + kept), "6 ");
  EXPECT_EQ(leftBy(made + "  free(c->filter.name);\n" + kept), "");
  EXPECT_EQ(leftBy("  free(c->filter.name);\n  c->filter.name = 0;\n" + made + kept), "");
  EXPECT_EQ(leftBy("  if (c->n == 3) {\n    free(*at);\n    return 1;\n  }\n"), "7 ");
  EXPECT_EQ(leftBy("  if (c->n == 3) {\n    free(*at);\n    *at = 0;\n  }\n"), "");
  EXPECT_EQ(leftBy("  free(c->filter.name);\n", "coder_clear"), "") << "its name says so";
}

/// Tables of anything hold what the function takes out of them, and lists have gaps where somebody asks.
TEST(AloneReach, UntypedMembersAreWhatTheyAreTakenFor) {
  const auto text = [](const std::string& body, const std::string& test) {
    return "#include <stdlib.h>\nstruct item { int n; int list[40]; };\n"
           "struct call { void *data; void **tables; unsigned at; struct item **all; };\n"
           "int take(struct call *c) {\n  int *p = 0;\n  " +
           body + "\n  if (i->list[30] == 77" + test + ") return *p;\n  return 0;\n}\n";
  };
  for (const char* body : {"struct item *i = c->data;", "struct item *i = c->tables[c->at];",
                           "if (c->at == 0) return 0; struct item *i = (struct item *)c->data;"}) {
    EXPECT_EQ(shownIn(text(body, ""), "take"), 1u) << body;
    EXPECT_EQ(shownIn(text(body, " && i->list[30] < 70"), "take"), 0u) << body;
  }
  const std::string gap = "if (c->all[0] != NULL) return 0; struct item *i = c->all[1]; if (!i) return 0;";
  EXPECT_EQ(shownIn(text(gap, ""), "take"), 1u);
}

/// What the compiler's analysis takes for possible, an execution shows or refutes.
TEST(AloneReach, ALocalVariableThatOneWayLeavesUnset) {
  const auto text = [](const std::string& test) {
    return "int find(int how);\nint find_it(int how, unsigned flags) {\n  int found, status = -1;\n"
           "  if (flags & 2) goto out;\n  if ((found = find(how)) == -1) goto out;\n  status = 0;\nout:\n"
           "  if (status" +
           test + " && found > 3) return 2;\n  return status;\n}\n";
  };
  EXPECT_EQ(shownIn(text(""), "find_it"), 1u);
  EXPECT_EQ(shownIn(text(" && !(flags & 2)"), "find_it"), 0u);
}

TEST(AloneReach, WhereACallJumpsToItsCallersSay) {
  EXPECT_EQ(shownIn("#include <setjmp.h>\nstatic jmp_buf end;\nint run(int (*test)(void)) {\n"
                    "  return setjmp(end) ? 1 : test();\n}\n"
                    "int check(int n) {\n  if (n == 3) longjmp(end, 1);\n  return 0;\n}\n",
                    "check"),
            0u);
}

/// What never comes to the call says nothing of it.
TEST(AloneReach, ACallThatIsNotReachedIsNotVerified) {
  const auto text = [](const std::string& type) {
    return "#include <stdlib.h>\n" + type +
           "int count(struct set *s);\nstruct set *set_new(void) { return NULL; }\n"
           "int set_size(struct set *s) { return count(s); }\n";
  };
  const Report never = exploredIn(text("struct set;\n"), "set_size");
  EXPECT_EQ(never.verdict, Verdict::Incomplete);
  EXPECT_EQ(never.problem, "no execution comes to 'set_size'");
  const Report anyState = exploredIn(text("struct set { int n; };\n"), "set_size");
  EXPECT_EQ(anyState.verdict, Verdict::VerifiedWithinBounds) << "in any state";
  EXPECT_NE(anyState.harness, "set_size");
}

TEST(AloneReach, WhatSetsTheFileUpAndEndsThereIsLeftOut) {
  const auto text = [](const std::string& test) {
    return "#include <stdlib.h>\nstruct node { int n; struct node *next; };\nextern const char "
           "*config_name(void);\n"
           "extern struct node *first_node;\nstatic struct node *own;\n"
           "void cluster_init(void) {\n  if (first_node->n != 7) exit(1);\n  if (first_node->n == 7) "
           "exit(2);\n"
           "  own = calloc(1, sizeof *own);\n}\n"
           "int cluster_next(struct node *n, int k) {\n  int t[2] = {1, 2};\n" +
           test + "  return n->n + t[k];\n}\n";
  };
  const Report wrong = exploredIn(text(""), "cluster_next");
  EXPECT_TRUE(wrong.findings.empty());
  ASSERT_FALSE(wrong.warnings.empty()) << wrong.problem;
  EXPECT_EQ(wrong.harness, "cluster_next, and nothing set up");
  // What the report names is explored again.
  EXPECT_EQ(exploredIn(text(""), wrong.harness).warnings.size(), wrong.warnings.size());
  const Report right = exploredIn(text("  if (k < 0 || k > 1) return 0;\n"), "cluster_next");
  EXPECT_EQ(right.verdict, Verdict::VerifiedWithinBounds) << right.problem;
  EXPECT_EQ(right.harness, "cluster_next, and nothing set up");
}

}  // namespace
}  // namespace heddle::testing
