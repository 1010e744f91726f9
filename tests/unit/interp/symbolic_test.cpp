// Inputs and terms. The sink checks every reported term against the concrete value beside it.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

TEST(InterpSymbolic, InputsKnowTheirNameWidthAndSign) {
  RunOptions options;
  options.inputs[0] = {static_cast<uint64_t>(-5), 200, 1, 7, 0xffffffffffffffff, 9};
  const ProgramRun r = run(R"(
    int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void); _Bool __VERIFIER_nondet_bool(void);
    long heddle_input_long(void); int heddle_input(const char *); short heddle_input_short(void);
    struct { int a; short field; } s; long total;
    int main(void) {
      int first = __VERIFIER_nondet_int();
      total = __VERIFIER_nondet_uchar();
      if (__VERIFIER_nondet_bool()) total++;
      int third = heddle_input("speed");
      total = heddle_input_long();
      s.field = heddle_input_short();
      return first + third;
    })",
                           options);
  std::vector<std::string> seen;
  for (const UsedInput& input : r.result.inputs)
    seen.push_back(input.name + " " + std::to_string(input.width) + (input.isSigned ? "s" : "u"));
  EXPECT_EQ(seen, (std::vector<std::string>{"first 32s", "total 8u", "__VERIFIER_nondet_bool 1u", "third 32s",
                                            "total 64s", "s 16s"}));
  EXPECT_EQ(r.result.schedule.inputs.at("T0"), (std::vector<int64_t>{-5, 200, 1, 7, -1, 9}));
}

constexpr const char* kOperators = R"(
    #include <stdint.h>
    int __VERIFIER_nondet_int(void); unsigned long __VERIFIER_nondet_ulong(void); char __VERIFIER_nondet_char(void);
    short __VERIFIER_nondet_short(void); _Bool __VERIFIER_nondet_bool(void);
    int n;
    #define SEE(e) do { if (e) n++; } while (0)
    int pick(int a, int b, int c) { return a ? b : c; }
    int main(void) {
      int i = __VERIFIER_nondet_int(); unsigned u = i; unsigned long l = __VERIFIER_nondet_ulong();
      char c = __VERIFIER_nondet_char(); short s = __VERIFIER_nondet_short(); _Bool b = __VERIFIER_nondet_bool();
      SEE(i + s > c); SEE(i - s <= c * 3); SEE(i * s != 12); SEE(u / 7 > 3); SEE(i / 7 > 3); SEE(u % 7 == 3); SEE(i % 7 == -3);
      SEE((i & s) == (c | 1)); SEE((i ^ s) > ~c); SEE(i << 3 < 100); SEE(i >> 3 < 100); SEE(u >> 3 < 100); SEE(l >> 40 & 1);
      SEE((int8_t)i == c); SEE((uint8_t)i < (uint8_t)c); SEE((int16_t)l == s); SEE((int64_t)i == (int64_t)l); SEE(b); SEE(!b);
      SEE((long)u != (long)i); SEE(-i > 0); SEE(i < 0 ? s : c); SEE(i && s); SEE(i || s); SEE(pick(i, s, c) > 2);
      SEE(__builtin_popcountl(l) > 30); SEE(__builtin_bswap32(u) > 100); SEE(__builtin_clz(u | 1) > 5); SEE(__builtin_ctz(u | 256) > 5);
      int r; unsigned ur; long lr; unsigned long ulr;
      SEE(__builtin_add_overflow(i, s, &r)); SEE(r > 5); SEE(__builtin_sub_overflow(u, 77u, &ur)); SEE(ur & 1);
      SEE(__builtin_mul_overflow(i, i, &r)); SEE(r < 0); SEE(__builtin_mul_overflow((long)i, (long)l, &lr)); SEE(__builtin_mul_overflow(u, u, &ur));
      SEE(__builtin_sub_overflow(i, (int)l, &r)); SEE(__builtin_add_overflow((unsigned long)u, l, &ulr));
      struct { unsigned a : 3; int b : 7; unsigned c : 13; } f = {1, 2, 3};
      f.a = u; f.b = i; f.c = s; SEE(f.a > 3); SEE(f.b < 0); SEE(f.c == 77);
      switch (c) { case 1: n += 2; break; case 5: case 6: n += 3; break; case -1: n += 4; default: n += 5; }
      switch (l) { case 0x123456789abc: n += 2; break; default: n++; }
      int a[5] = {1, 2, 3, 4, 5}; unsigned k = u % 5; a[k] = i; SEE(a[2] == i); SEE(a[k] == i);
      if (s) SEE(100 / s > 3);
      return 0;
    })";

TEST(InterpSymbolic, EveryOperatorAgreesWithItsTerm) {
  const std::vector<std::vector<uint64_t>> inputs{
      {0, 0, 0, 0, 0},
      {1, 1, 1, 1, 1},
      {0xffffffff, ~0ull, 0xff, 0xffff, 1},
      {0x80000000, 1ull << 63, 0x80, 0x8000, 0},
      {12345, 0x123456789abc, 5, 77, 1},
      {0x7fffffff, 0x7fffffffffffffff, 0x7f, 0x7fff, 0},
      {0xfffffff9, 0xdeadbeefcafe, 0xfd, 0xfffd, 1},
  };
  RunOptions options;
  ProgramRun r;
  r.program = compileProgram(kOperators);
  ASSERT_TRUE(r.program);
  size_t branches = 0;
  for (const auto& values : inputs) {
    options.inputs[0] = values;
    runAgain(r, options);
    EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent) << r.result.unsupported;
    EXPECT_EQ(r.failure(), "");
    EXPECT_EQ(r.sink->choices.size(), 2u) << "a[k], written once and read once";
    branches += r.sink->branches.size();
  }
  EXPECT_GT(branches, 300u);
}

TEST(InterpSymbolic, SharedReadsAreSymbolsToo) {
  RunOptions options;
  options.symbolicReads = true;
  for (uint64_t seed = 1; seed < 20; ++seed) {
    options.seed = seed;
    const ProgramRun r = run(R"(
      #include <pthread.h>
      int a[3]; long sum; char flag; _Atomic int n;
      void *t(void *x) {
        for (int i = 0; i < 3; i++) { a[i] = a[(i + 1) % 3] + (int)(long)x; sum += a[i]; }
        flag = flag ? 2 : 1; n++; n |= 4;
        int expected = 5; __c11_atomic_compare_exchange_strong(&n, &expected, 9, 5, 5);
        if (sum > 7 && flag == 2) sum = -sum;
        return (void *)sum;
      }
      int main(void) { pthread_t h, k; void *r; pthread_create(&h, 0, t, (void *)1); pthread_create(&k, 0, t, (void *)2);
        pthread_join(h, &r); pthread_join(k, 0); return r != 0; })",
                             options);
    EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent);
    EXPECT_FALSE(r.sink->branches.empty());
  }
}

TEST(InterpSymbolic, ADivisorIsCheckedBeforeItFails) {
  RunOptions options;
  options.inputs[0] = {3};
  const char* text =
      "int __VERIFIER_nondet_int(void); int main(void) { int d = __VERIFIER_nondet_int(); return 7 / (d - "
      "3); }";
  ProgramRun r = run(text, options);
  ASSERT_EQ(r.sink->branches.size(), 1u);
  EXPECT_EQ(r.sink->branches[0].role, BranchRole::Check);
  EXPECT_EQ(r.sink->branches[0].errorSide, 0);
  EXPECT_FALSE(r.sink->branches[0].taken);
  EXPECT_EQ(r.failure(), "division by zero");
  options.inputs[0] = {4};
  runAgain(r, options);
  EXPECT_TRUE(r.sink->branches[0].taken);
  EXPECT_EQ(r.failure(), "");
}

TEST(InterpSymbolic, AnIndexIsCheckedThenChosen) {
  RunOptions options;
  options.inputs[0] = {2};
  const char* text =
      "int __VERIFIER_nondet_int(void); int a[4], b[9]; int main(void) { int i = __VERIFIER_nondet_int(); "
      "a[i] = 1; return 0; }";
  ProgramRun r = run(text, options);
  ASSERT_EQ(r.sink->branches.size(), 1u);
  EXPECT_EQ(r.sink->branches[0].role, BranchRole::Check);
  EXPECT_TRUE(r.sink->branches[0].taken);
  EXPECT_EQ(r.sink->choices.size(), 1u);
  // Far outside, where another object lies, it is still an index of `a`.
  options.inputs[0] = {1000000};
  runAgain(r, options);
  EXPECT_FALSE(r.sink->branches[0].taken);
  EXPECT_EQ(r.failure(), "out-of-bounds write to 'a' (index 1000000 of 4)");
  EXPECT_TRUE(r.sink->choices.empty());
}

TEST(InterpSymbolic, AnAssumptionThatFailsEndsTheThreadSilently) {
  const char* text = R"(
    int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void reach_error(void) {}
    int main(void) { int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i > 3); reach_error(); })";
  ProgramRun r = run(text);
  ASSERT_EQ(r.sink->branches.size(), 1u);
  EXPECT_EQ(r.sink->branches[0].role, BranchRole::Assume);
  EXPECT_EQ(r.failure(), "");
  EXPECT_NE(r.result.trace.back().kind, EventKind::End);
  RunOptions options;
  options.inputs[0] = {4};
  runAgain(r, options);
  EXPECT_EQ(r.failure(), "error location reached");
  EXPECT_EQ(r.result.trace.back().kind, EventKind::End);
}

TEST(InterpSymbolic, BranchesKnowWhichSideFails) {
  RunOptions options;
  options.inputs[0] = {1};
  const ProgramRun r = run(R"(
    #include <assert.h>
    int __VERIFIER_nondet_int(void); void reach_error(void) {}
    int main(void) { int i = __VERIFIER_nondet_int(); assert(i != 7); if (i == 9) reach_error(); if (i == 4) return 1; return 0; })",
                           options);
  ASSERT_EQ(r.sink->branches.size(), 3u);
  const auto failing = [&](size_t k) { return r.sink->branches[k].errorSide; };
  EXPECT_NE(failing(0), -1);
  EXPECT_NE(failing(0), r.sink->branches[0].taken);
  EXPECT_NE(failing(1), -1);
  EXPECT_NE(failing(1), r.sink->branches[1].taken);
  EXPECT_EQ(failing(2), -1);
}

TEST(InterpSymbolic, FloatingPointArithmeticOnAnInputIsAnAssumption) {
  const auto returned = [](const std::string& what) {
    return run(
        "int __VERIFIER_nondet_int(void); int main(void) { double d = __VERIFIER_nondet_int(); return " +
        what + "; }");
  };
  EXPECT_TRUE(returned("d > 2.5").result.assumptions.empty());
  const ProgramRun r = returned("d / 3 > 2.5");
  ASSERT_EQ(r.result.assumptions.size(), 1u);
  EXPECT_EQ(r.result.assumptions[0].second, "floating-point value taken to be what it was in one execution");
  EXPECT_TRUE(run("int main(void) { double d = 2; return d > 2.5; }").result.assumptions.empty());
}

}  // namespace
}  // namespace heddle::test
