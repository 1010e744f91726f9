// Bounds, budgets and what is not supported: each ends the run with its reason.
#include <gtest/gtest.h>

#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

TEST(InterpLimits, UnknownCallsAreUnsupportedWhenReached) {
  const char* text = "int foo(int *); int x;\nint main(void) { if (x)\n  return foo(&x);\n return 0; }";
  EXPECT_EQ(run(text).result.outcome, RunOutcome::Quiescent);
  RunOptions refused;
  refused.environment.unknown = UnknownEffect::Refused;
  const ProgramRun r = run("int foo(int *);\nint main(void) {\n  return foo(0);\n}", refused);
  EXPECT_EQ(r.result.outcome, RunOutcome::Unsupported);
  EXPECT_EQ(r.result.unsupported, "call of 'foo'");
  EXPECT_EQ(r.program->place(r.result.unsupportedPlace).line, 3u);
}

TEST(InterpLimits, UnknownCallsThatCannotTouchMemoryGiveInputs) {
  RunOptions options;
  options.inputs[0] = {7};
  const ProgramRun r = run("int foo(int, long);\nint main(void) {\n  return foo(3, 4);\n}", options);
  EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent);
  EXPECT_EQ(r.result.exitCode, 7);
  ASSERT_EQ(r.result.assumptions.size(), 1u);
  EXPECT_EQ(r.result.assumptions[0].second,
            "'foo', defined elsewhere, changes nothing that the program can see and returns any value");
  // What orders threads or steers the analysis is never passed over.
  EXPECT_EQ(run("void __VERIFIER_no_such_thing(void); int main(void) { __VERIFIER_no_such_thing(); }")
                .result.unsupported,
            "call of '__VERIFIER_no_such_thing'");
}

TEST(InterpLimits, AnArrayWithoutASizeHasSomeElementsElsewhere) {
  const ProgramRun inside = run("extern int list[]; int main(void) { return list[2]; }");
  EXPECT_EQ(inside.result.outcome, RunOutcome::Quiescent);
  ASSERT_EQ(inside.result.assumptions.size(), 1u);
  EXPECT_EQ(inside.result.assumptions[0].second, "'list', defined elsewhere, taken as 0");
  const ProgramRun beyond = run("extern int list[]; int main(void) { return list[64]; }");
  EXPECT_EQ(beyond.failure(), "");
  EXPECT_EQ(beyond.result.exitCode, -1);  // not followed any further
  ASSERT_EQ(beyond.result.assumptions.size(), 1u);
  EXPECT_EQ(beyond.result.assumptions[0].second,
            "'list', an array of unknown size defined elsewhere, is used no further than 256 bytes");
}

TEST(InterpLimits, ACompareExchangeOfWhatWasNeverWrittenRuns) {
  for (const char* exchange : {"strong", "weak"}) {
    const std::string text =
        "#include <stdatomic.h>\nint main(void) { atomic_ulong a[2]; unsigned long old = 0;"
        " return atomic_compare_exchange_" +
        std::string(exchange) + "(&a[0], &old, 1ul) + (a[0] == 1); }";
    const ProgramRun r = run(text);
    EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent) << exchange;
    EXPECT_EQ(r.result.exitCode, 2) << exchange;
  }
}

TEST(InterpLimits, UnknownInstructionsAreUnsupportedWhenReached) {
  EXPECT_EQ(
      run("int main(void) { float __attribute__((vector_size(16))) x; __asm__(\"xorps %0, %0\" : \"=x\"(x));"
          " return (int)x[0]; }")
          .result.unsupported,
      "inline assembly");
  EXPECT_EQ(run("_BitInt(200) x; int main(void) { return x * x > 3; }").result.outcome,
            RunOutcome::Unsupported);
  EXPECT_EQ(
      run("int main(void) { __asm__ volatile(\"\" ::: \"memory\"); __asm__ volatile(\"pause\"); return 0; }")
          .result.outcome,
      RunOutcome::Quiescent);
}

TEST(InterpLimits, OutputsOfUnknownAssemblyAreAnyValue) {
  RunOptions options;
  options.inputs[0] = {7, 8};
  const ProgramRun r =
      run("int main(void) { int x, y, z = 1; __asm__ volatile(\"cpuid\" : \"=a\"(x), \"=m\"(y) : : \"ebx\");"
          " __asm__ volatile(\"cli\"); return 16 * x + y + 100 * z; }",
          options);
  EXPECT_EQ(r.failure(), "");
  EXPECT_EQ(r.result.exitCode, 220);
  ASSERT_EQ(r.result.inputs.size(), 2u);
  EXPECT_TRUE(r.result.inputs[0].isInvented);
  ASSERT_FALSE(r.result.assumptions.empty());
  for (const auto& [place, text] : r.result.assumptions)
    EXPECT_EQ(text, "inline assembly leaves any value in its outputs and changes nothing else");
}

TEST(InterpLimits, LoopsAreCutAtTheBound) {
  RunOptions options;
  options.machine.unroll = 10;
  const char* text = "int x;\nint main(void) {\n  while (1)\n    x++;\n}";
  const ProgramRun r = run(text, options);
  EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent);
  ASSERT_EQ(r.result.bounds.size(), 1u);
  EXPECT_EQ(r.result.bounds.begin()->kind, BoundKind::LoopIterations);
  EXPECT_EQ(r.result.bounds.begin()->count, 10u);
  // Ten iterations are allowed, and an inner loop starts afresh.
  const ProgramRun inside =
      run("int main(void) { int n = 0; for (int i = 0; i < 10; i++) for (int k = 0; k < 10; k++) n++; return "
          "n; }",
          options);
  EXPECT_TRUE(inside.result.bounds.empty());
}

TEST(InterpLimits, RecursionIsCutAtTheBound) {
  const ProgramRun r = run("int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }");
  ASSERT_EQ(r.result.bounds.size(), 1u);
  EXPECT_EQ(r.result.bounds.begin()->kind, BoundKind::CallDepth);
  EXPECT_EQ(r.result.bounds.begin()->count, 250'000u);
}

TEST(InterpLimits, LargeFramesAreCutByTheirMemory) {
  const ProgramRun r =
      run("int f(int n) { char room[65536]; room[n % 7] = 1; return f(n + 1) + room[0]; } int main(void) { "
          "return f(0); }");
  ASSERT_EQ(r.result.bounds.size(), 1u);
  EXPECT_EQ(r.result.bounds.begin()->kind, BoundKind::CallDepth);
  EXPECT_EQ(r.result.bounds.begin()->count, 4'096u);
  const ProgramRun deep =
      run("int f(int n) { char room[2048]; room[n % 7] = 1; return n == 0 ? 0 : 1 + f(n - 1); }\n"
          "int main(void) { return f(20000) == 20000 ? 7 : 8; }");
  EXPECT_EQ(deep.result.exitCode, 7);
  EXPECT_TRUE(deep.result.bounds.empty());
}

TEST(InterpLimits, ThreadsBeyondTheBoundStopWhereTheyStart) {
  RunOptions options;
  options.machine.maxThreads = 5;
  const ProgramRun r =
      run("#include <pthread.h>\nint x; void *t(void *a) { x++; return 0; } int main(void) { pthread_t h;\n"
          "  for (int i = 0; i < 8; i++) pthread_create(&h, 0, t, 0);\n"
          "  pthread_exit(0); }",
          options);
  EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent);
  EXPECT_FALSE(r.result.stuck);
  ASSERT_EQ(r.result.bounds.size(), 1u);
  EXPECT_EQ(r.result.bounds.begin()->kind, BoundKind::Threads);
  EXPECT_EQ(r.result.bounds.begin()->count, 5u);
}

TEST(InterpLimits, EndlessProgramsRunOutOfBudget) {
  RunOptions options;
  options.machine.maxInstructions = 1'000'000;
  const ProgramRun r = run("int main(void) { volatile int x = 0; while (1) x++; }", options);
  EXPECT_EQ(r.result.outcome, RunOutcome::OutOfBudget);
  EXPECT_EQ(r.result.stop, StopReason::Steps);
}

/// Each round leaves the interpreter's own loop for the model and what it calls back.
TEST(InterpLimits, EndlessCallsOfModelsRunOutOfBudget) {
  RunOptions options;
  options.machine.maxInstructions = 200'000;
  const ProgramRun r =
      run("#include <stdlib.h>\nint a[2];\nint compare(const void *x, const void *y) { return *(const int "
          "*)x < *(const int "
          "*)y; }\nint main(void) { for (int i = 0;; i++) { a[0] = i; qsort(a, 2, sizeof *a, compare); } }",
          options);
  EXPECT_EQ(r.result.outcome, RunOutcome::OutOfBudget);
  EXPECT_EQ(r.result.stop, StopReason::Steps);
}

/// One call moves more than thousands of instructions do: mosquitto's realloc of a line that has no end ran
/// on for minutes.
TEST(InterpLimits, CallsThatMoveManyBytesAreLookedAtSooner) {
  RunOptions options;
  options.machine.maxInstructions = 1;
  const ProgramRun r =
      run("#include <stdlib.h>\n#include <string.h>\nint main(void) { char *from = malloc(100000), *to = "
          "malloc(100000); if (!from || !to) return 1; for (;;) memcpy(to, from, 100000); }",
          options);
  EXPECT_EQ(r.result.outcome, RunOutcome::OutOfBudget);
  EXPECT_LT(r.result.instructions, 1000u);
}

TEST(InterpLimits, ARunCanStopAtItsFirstFailure) {
  const char* text = R"(
    #include <assert.h>
    #include <pthread.h>
    int x; void *t(void *a) { x = 1; assert(0); return 0; }
    int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); assert(x == 2); })";
  ProgramRun r = run(text);
  EXPECT_EQ(r.result.failures.size(), 2u);
  RunOptions options;
  options.machine.stopAtFailure = true;
  runAgain(r, options);
  EXPECT_EQ(r.result.failures.size(), 1u);
  EXPECT_EQ(r.result.outcome, RunOutcome::Stopped);
  EXPECT_EQ(r.result.failures[0].traceLength, r.result.trace.size());
}

TEST(InterpLimits, WithoutAnEntryPointNothingRuns) {
  ProgramRun r;
  r.program = compileProgram("int foo(void) { return 1; }");
  ASSERT_TRUE(r.program);
  EXPECT_FALSE(r.program->findFunction("main"));
  EXPECT_TRUE(r.program->findFunction("foo"));
}

TEST(InterpLimits, CodeBehindAssemblyThatDoesNotComeBackIsNotReached) {
  const std::string leave = "void leave(void) { __asm__ volatile(\"hlt\" ::: \"memory\"); ";
  const std::string text = leave + "__builtin_unreachable(); }\nint main(void) { leave(); return 0; }";
  const ProgramRun stays = run(text);
  EXPECT_EQ(stays.failure(), "");
  EXPECT_EQ(stays.result.exitCode, -1);
  EXPECT_EQ(stays.result.assumptions.back().second,
            "inline assembly does not come back where the text says so");
  const ProgramRun called = run(leave + "}\nint main(void) { leave(); __builtin_unreachable(); }");
  EXPECT_EQ(called.failure(), "");
  EXPECT_EQ(run("int main(void) { __builtin_unreachable(); }").failure(), "unreachable code is reached");
}

}  // namespace
}  // namespace heddle::test
