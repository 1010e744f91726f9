// The inputs of one thread, searched path by path, lead to what the question about the whole forest leads to;
// and content that is made when it is first read is as good as one that is made at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

/// Programs of one thread: inputs, branches, loops, arrays at computed places, divisions, assertions and
/// assumptions.
class OneThread {
 public:
  explicit OneThread(uint64_t seed) : random_(seed) {}

  std::string make() {
    std::string text = "int main(void) {\n  int a[3] = {1, 2, 3}, n;\n";
    for (int i = 0; i < 3; ++i) text += "  int r" + std::to_string(i) + " = heddle_input_int() & 3;\n";
    for (int i = 4 + pick(5); i > 0; --i) text += statement(2);
    return text + "  return r0 + n * 0;\n}\n";
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  std::string reg() { return "r" + std::to_string(pick(3)); }
  std::string number() { return std::to_string(pick(5)); }
  std::string condition() {
    static const char* const kOperators[] = {"==", "<", "!=", ">"};
    return reg() + " " + kOperators[pick(4)] + " " + (pick(2) ? number() : reg());
  }
  std::string statement(int depth) {
    switch (pick(depth > 0 ? 9 : 6)) {
      case 0:
        return "  " + reg() + " = " + reg() + " + " + reg() + ";\n";
      case 1:
        return "  " + reg() + " = " + reg() + " * " + number() + ";\n";
      case 2:
        return "  " + reg() + " = a[" + reg() + "];\n";
      case 3:
        return "  assert(" + condition() + ");\n";
      case 4:
        return "  heddle_assume(" + condition() + ");\n";
      case 5:
        return "  " + reg() + " = 12 / " + reg() + ";\n";
      case 6:
        return "  for (n = 0; n < (" + reg() + " & 3); ++n) {\n" + statement(depth - 1) + "  }\n";
      default:
        return "  if (" + condition() + ") {\n" + statement(depth - 1) + "  } else {\n" +
               statement(depth - 1) + "  }\n";
    }
  }

  std::mt19937_64 random_;
};

/// Which of several wrong indices shows, each search is free to choose.
std::set<std::string> withoutIndex(const std::set<std::string>& failures) {
  std::set<std::string> without;
  for (const std::string& failure : failures) without.insert(failure.substr(0, failure.find(" (index")));
  return without;
}

class InputSearchPrograms : public testing::TestWithParam<int> {};

TEST_P(InputSearchPrograms, TakeEachPath) {
  constexpr int kEach = 10;
  for (int i = 0; i < kEach; ++i) {
    const uint64_t seed = static_cast<uint64_t>(GetParam()) * kEach + static_cast<uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string text = OneThread(seed).make();
    const Reached forest = reachedByForest(text), inputs = reachedByInputs(text);
    ASSERT_TRUE(forest.complete) << forest.problem << "\n" << text;
    EXPECT_TRUE(inputs.complete) << inputs.problem << "\n" << text;
    EXPECT_EQ(forest.localPaths, inputs.localPaths) << text;
    EXPECT_EQ(withoutIndex(forest.failures), withoutIndex(inputs.failures)) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, InputSearchPrograms, testing::Range(0, 8));

TEST(InputSearch, AThreadThatStartsIsExploredToo) {
  const std::string text =
      "int g; void *t(void *p) { g = 1; return p; }\n"
      "int main(void) { pthread_t x; int i = heddle_input_int();\n"
      "  if (i == 77) { pthread_create(&x, 0, t, 0); if (g) assert(i != 77); pthread_join(x, 0); }\n"
      "  return 0; }\n";
  const Reached forest = reachedByForest(text), inputs = reachedByInputs(text);
  EXPECT_TRUE(inputs.complete) << inputs.problem;
  EXPECT_EQ(forest.failures.size(), 1u);
  EXPECT_EQ(forest.failures, inputs.failures);
  EXPECT_EQ(forest.races, inputs.races);
}

/// Programs that walk over a tree of which nothing is known.
class OnATree {
 public:
  explicit OnATree(uint64_t seed) : random_(seed) {}

  /// `isLazy`: each member is made when it is first read.
  std::string make(bool isLazy) {
    std::string text = isLazy ? "void heddle_lazily(void *, unsigned long, void (*)(void *, int), int);\n"
                              : "#define heddle_lazily(place, size, fill, depth) fill(place, depth)\n";
    text +=
        "struct node { int n, m; struct node *l, *r; };\nstruct node *tree(int depth);\n"
        "void number(void *place, int depth) { *(int *)place = heddle_input_int(); }\n"
        "void next(void *place, int depth) { if (heddle_input_int() & 1) *(void **)place = tree(depth); }\n"
        "struct node *tree(int depth) {\n  struct node *o = calloc(1, sizeof *o);\n"
        "  heddle_lazily(&o->n, sizeof o->n, number, 0);\n  heddle_lazily(&o->m, sizeof o->m, number, 0);\n"
        "  if (depth > 0) heddle_lazily(&o->l, sizeof o->l, next, depth - 1);\n"
        "  if (depth > 0) heddle_lazily(&o->r, sizeof o->r, next, depth - 1);\n  return o;\n}\n"
        "int main(void) {\n  struct node *p = tree(2), *q = p, copy;\n";
    for (int i = 3 + pick(5); i > 0; --i) text += statement(2);
    return text + "  return 0;\n}\n";
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  std::string pointer() { return pick(2) ? "p" : "q"; }
  std::string side() { return pick(2) ? "->l" : "->r"; }
  std::string value() { return pointer() + (pick(2) ? "->n" : "->m"); }
  std::string statement(int depth) {
    switch (pick(depth > 0 ? 10 : 8)) {
      case 6:
        return "  *(char *)&" + value() + " = " + std::to_string(pick(3)) + ";\n";
      case 7:
        return "  memcpy(&" + value() + ", &" + value() + ", 2);\n";
      case 0:
        return "  " + pointer() + " = " + pointer() + side() + ";\n";
      case 1:
        return "  assert(" + value() + " != " + std::to_string(pick(3)) + ");\n";
      case 2:
        return "  " + pointer() + side() + " = " + pointer() + ";\n";
      case 3:
        return "  copy = *" + pointer() + "; if (copy.l) assert(copy.l->n != 3);\n";
      case 4:
        return "  " + value() + " = " + std::to_string(pick(3)) + ";\n";
      case 5:
        return "  memset(" + pointer() + ", 0, sizeof *p);\n";
      default:
        return "  if (" + pointer() + side() + ") {\n" + statement(depth - 1) + "  } else {\n" +
               statement(depth - 1) + "  }\n";
    }
  }

  std::mt19937_64 random_;
};

class MadeWhenRead : public testing::TestWithParam<int> {};

TEST_P(MadeWhenRead, FailsAsWhatIsMadeAtOnce) {
  constexpr int kEach = 8;
  for (int i = 0; i < kEach; ++i) {
    const uint64_t seed = static_cast<uint64_t>(GetParam()) * kEach + static_cast<uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string text = "#include <string.h>\n" + OnATree(seed).make(true);
    const Reached lazy = reachedByInputs(text);
    const Reached eager = reachedByForest("#include <string.h>\n" + OnATree(seed).make(false));
    ASSERT_TRUE(eager.complete) << eager.problem << "\n" << text;
    EXPECT_TRUE(lazy.complete) << lazy.problem << "\n" << text;
    EXPECT_EQ(eager.failures, lazy.failures) << text;
    EXPECT_LE(lazy.localPaths.size(), eager.localPaths.size()) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MadeWhenRead, testing::Range(0, 6));

TEST(MadeWhenRead, AThreadThatStartsFindsZeros) {
  const std::string text =
      "void heddle_lazily(void *, unsigned long, void (*)(void *, int), int);\nint n;\n"
      "void number(void *place, int depth) { *(int *)place = 5; }\n"
      "void *t(void *p) { assert(n == 0); return p; }\n"
      "int main(void) { pthread_t x; heddle_lazily(&n, sizeof n, number, 0);\n"
      "  pthread_create(&x, 0, t, 0); pthread_join(x, 0); return 0; }\n";
  const Report report = check(text);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(std::any_of(report.assumptions.begin(), report.assumptions.end(), [](const Assumption& one) {
    return one.text.find("when a thread starts is 0") != std::string::npos;
  }));
}

}  // namespace
}  // namespace heddle::test
