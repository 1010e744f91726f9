// Allocation that fails, leaks at the end, and memory that was never written.
#include <gtest/gtest.h>

#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

RunOptions with(Environment environment, std::vector<uint64_t> inputs = {}) {
  RunOptions options;
  options.environment = environment;
  options.inputs[0] = std::move(inputs);
  return options;
}

constexpr Environment kMayFail{.mallocMayFail = true};
constexpr Environment kLeaks{.checkLeaks = true};
constexpr Environment kAny{.undefinedIsInput = true};

TEST(InterpEnvironment, AllocationFailsWhenTheInputSaysSo) {
  const char* text = R"(
    #include <errno.h>
    #include <stdlib.h>
    int main(void) { char *p = malloc(4), *q = calloc(2, 2);
      return (p ? 1 : 0) + (q ? 2 : 0) + (errno == ENOMEM ? 4 : 0); })";
  EXPECT_EQ(run(text).result.exitCode, 3);
  EXPECT_EQ(run(text, with(kMayFail)).result.exitCode, 3);
  EXPECT_EQ(run(text, with(kMayFail, {1, 0})).result.exitCode, 6);
  EXPECT_EQ(run(text, with(kMayFail, {0, 1})).result.exitCode, 5);
  EXPECT_EQ(run(text, with(kMayFail, {1, 0})).sink->branches.size(), 2u);
}

TEST(InterpEnvironment, AnUncheckedAllocationIsANullPointer) {
  const char* text =
      "#include <stdlib.h>\nint main(void) { int *p = malloc(4);\n *p = 1; free(p); return 0; }";
  EXPECT_EQ(run(text, with(kMayFail)).failure(), "");
  EXPECT_EQ(run(text, with(kMayFail, {1})).failure(), "null pointer dereference");
}

TEST(InterpEnvironment, CreationsBeyondWhatTheEnvironmentHasFailWhereTheProgramLooks) {
  const char* text = R"(
    #include <errno.h>
    #include <pthread.h>
    static void *work(void *arg) { return arg; }
    int main(void) { pthread_t a, b;
      const int first = pthread_create(&a, 0, work, 0), second = pthread_create(&b, 0, work, 0);
      pthread_create(&b, 0, work, 0);
      return (first ? 1 : 0) + (second == EAGAIN ? 2 : 0); })";
  EXPECT_EQ(run(text).result.exitCode, 0);
  EXPECT_EQ(run(text, with({.creations = 2})).result.exitCode, 0);
  const ProgramRun one = run(text, with({.creations = 1}));
  EXPECT_EQ(one.result.exitCode, 2);
  EXPECT_FALSE(one.result.assumptions.empty());
  EXPECT_EQ(run(text, with({.creations = 0})).result.exitCode, 3);
}

TEST(InterpEnvironment, LeaksAreFoundAtEveryEndOfTheProcess) {
  const char* leaky =
      "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4); int *q = malloc(8); free(p);\n"
      "  if (!q) return 1;\n  %s }";
  for (const char* end : {"return 0;", "exit(0);"}) {
    std::string text = leaky;
    text.replace(text.find("%s"), 2, end);
    EXPECT_EQ(run(text).failure(), "");
    const ProgramRun r = run(text, with(kLeaks));
    EXPECT_EQ(r.failure(), "memory leak: int allocated at test.c:3 is still allocated when the program ends");
    EXPECT_EQ(r.failureLine(), 3u);
    text.replace(text.find(end), 0, "free(q); ");
    EXPECT_EQ(run(text, with(kLeaks)).failure(), "");
  }
  // Handlers run first.
  EXPECT_EQ(run(R"(
    #include <stdlib.h>
    static void *p; static void drop(void) { free(p); }
    int main(void) { p = malloc(3); atexit(drop); return 0; })",
                with(kLeaks))
                .failure(),
            "");
}

TEST(InterpEnvironment, WhatWasNeverWrittenIsAnInputThatStays) {
  const char* text =
      "int main(void) { int x; int a[3]; a[1] = 2; return x == x && a[0] == a[0] ? x + a[1] + a[2] : 99; }";
  const ProgramRun zero = run(text);
  // After the finding the thread goes on as if 0 had been there: what it computes from it fits together.
  EXPECT_EQ(zero.result.exitCode, 2);
  EXPECT_EQ(run("int main(void) { unsigned x, *p = &x; int y = x + 3; return y == 3 && ~x > 7 ? y : 99; }")
                .result.exitCode,
            3);
  EXPECT_FALSE(zero.result.assumptions.empty());
  const ProgramRun any = run(text, with(kAny, {5, 1, 7}));
  EXPECT_EQ(any.result.exitCode, 14);
  EXPECT_TRUE(any.result.assumptions.empty());
  EXPECT_EQ(any.result.inputs.size(), 3u);
  // Heap memory, and nothing for what is written first.
  EXPECT_EQ(run("#include <stdlib.h>\nint main(void) { int *p = malloc(8); p[0] = 3; return p[0] + p[1]; }",
                with(kAny, {4}))
                .result.exitCode,
            7);
  EXPECT_TRUE(run("int main(void) { int x = 1; return x; }", with(kAny)).result.inputs.empty());
}

TEST(InterpEnvironment, AnEntryPointOtherThanMainIsCalledWithAnyNumbers) {
  RunOptions options = with({}, {3, 4});
  options.entry = "sum";
  const char* text =
      "int main(void) { return 0; } int sum(int a, short b) { return a * 10 + b; }\n"
      "int first(const char *s) { return *s; }";
  const ProgramRun r = run(text, options);
  EXPECT_EQ(r.result.exitCode, 34);
  ASSERT_EQ(r.result.inputs.size(), 2u);
  EXPECT_EQ(r.result.inputs[1].name, "b");
  EXPECT_EQ(r.result.inputs[1].width, 16u);
  options.entry = "first";
  EXPECT_EQ(run(text, options).result.unsupported, "the entry point 'first' takes a pointer, 's'");
}

}  // namespace
}  // namespace heddle::test
