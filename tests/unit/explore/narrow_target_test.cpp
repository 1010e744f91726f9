// Targets whose pointers have 32 bits.
#include <gtest/gtest.h>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

Report checkNarrow(const std::string& text) {
  Snapshot snapshot;
  snapshot.path = "/nowhere/test.c";
  snapshot.text = withHeaders(text);
  snapshot.command = commandFromFlags(snapshot.path, {"-m32"});
  return analyze(snapshot, {}, Budget().withSteps(1'000'000));
}

TEST(NarrowTarget, AThreadsArgumentMayDependOnAnInput) {
  const std::string text =
      "void *t(void *a) { int j = (int)a; assert(j != %s); return j > 3 ? 0 : a; }\n"
      "int main(void) { int n = heddle_input_int(); pthread_t a; heddle_assume(n < 10);\n"
      "  pthread_create(&a, 0, t, (void *)n); pthread_join(a, 0); return 0; }\n";
  const auto with = [&](const char* value) {
    std::string filled = text;
    return filled.replace(filled.find("%s"), 2, value);
  };
  const Report fails = checkNarrow(with("7"));
  EXPECT_EQ(fails.verdict, Verdict::Violated) << fails.problem;
  const Report holds = checkNarrow(with("12"));
  EXPECT_EQ(holds.verdict, Verdict::Verified) << holds.problem;
}

}  // namespace
}  // namespace heddle::test
