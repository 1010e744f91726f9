// Programs that are not as they should be: each gets a verdict or a message, within its steps and in little
// memory.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

constexpr long kMostMemory = 2'000'000;  // KiB

class BadInput : public testing::Test {
 protected:
  void TearDown() override {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    EXPECT_LT(usage.ru_maxrss, kMostMemory);
  }
};

TEST_F(BadInput, WhatDoesNotCompileIsAnError) {
  const Report report = check("int main(void) { return missing; }");
  EXPECT_EQ(report.verdict, Verdict::Error);
  EXPECT_NE(report.problem.find("'missing'"), std::string::npos) << report.problem;
}

TEST_F(BadInput, WithoutAnEntryPointThereIsNothingToExplore) {
  EXPECT_EQ(check("int f(void) { return 0; }").verdict, Verdict::Unsupported);
  Options options;
  options.entry = "nobody";
  const Report report = check("int main(void) { return 0; }", options);
  EXPECT_EQ(report.verdict, Verdict::Unsupported);
  EXPECT_NE(report.problem.find("'nobody'"), std::string::npos) << report.problem;
}

TEST_F(BadInput, AHugeArrayCostsWhatIsUsedOfIt) {
  const Report report = check(R"(
    static char huge[1 << 30];
    void *run(void *u) { huge[(1 << 30) - 1] = 1; return u; }
    int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); huge[0] = 2; pthread_join(t, 0);
      assert(huge[(1 << 30) - 1] == 1); return 0; })");
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
}

TEST_F(BadInput, AHugeBlockIsNotCopied) {
  const char* program = R"(
    static struct s { int a[0x80000000u]; } src, dst;
    void *run(void *u) { memcpy(&dst, &src, sizeof src); return u; }
    int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); %s pthread_join(t, 0); return 0; })";
  for (const char* beside : {"", "src.a[3] = 1;"}) {
    std::string text = program;
    text.replace(text.find("%s"), 2, beside);
    const Report report = check("#include <string.h>\n" + text);
    EXPECT_EQ(report.verdict, Verdict::Unsupported);
    EXPECT_NE(report.problem.find("bytes at once"), std::string::npos) << report.problem;
  }
}

TEST_F(BadInput, RecursionWithoutEndIsCutAndNamed) {
  const Report report =
      check("int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }", {}, 100'000);
  EXPECT_EQ(report.verdict, Verdict::Incomplete) << report.problem;  // nothing behind the call was reached
  ASSERT_FALSE(report.bounds.empty());
  EXPECT_EQ(report.bounds.front().kind, BoundKind::CallDepth) << report.bounds.front().text;
}

TEST_F(BadInput, APointerThatIsAnInputGivesOneFindingAPlace) {
  const Report report = check(
      "unsigned long __VERIFIER_nondet_ulong(void);\n"
      "int main(void) { int *p = (int *)__VERIFIER_nondet_ulong(); return *p; }\n",
      {}, 2'000);
  EXPECT_EQ(report.properties.at(Property::Memory), Verdict::Violated) << report.problem;
  EXPECT_LE(report.findings.size(), 2u);  // null, and any other
}

TEST_F(BadInput, FiftyThousandLines) {
  std::string text = "int total; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n", calls;
  for (int i = 0; i < 8'400; ++i) {
    const std::string name = "f" + std::to_string(i);
    text +=
        "static int " + name + "(int a) {\n  int b = a + 1;\n  if (b > 100)\n    b -= 7;\n  return b;\n}\n";
    if (i % 200 == 0) calls += "  s = " + name + "(s) & 1023;\n";
  }
  text +=
      "void *run(void *u) {\n  int s = 1;\n" + calls +
      "  pthread_mutex_lock(&m);\n  total += s;\n  pthread_mutex_unlock(&m);\n  return u;\n}\n"
      "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, run, 0);\n  run(0);\n  pthread_join(t, 0);\n"
      "  assert(total > 0);\n  return 0;\n}\n";
  const Report report = check(text);
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
}

}  // namespace
}  // namespace heddle::test
