// Implicit assertions: what a thread must not do with memory, and how the claim reads.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

struct Case {
  const char* name;
  const char* text;
  const char* message;  // nullptr: no failure
};

class InterpMemory : public testing::TestWithParam<Case> {};

TEST_P(InterpMemory, ClaimsWhatIsWrong) {
  const ProgramRun r = run(GetParam().text);
  ASSERT_EQ(r.result.outcome, RunOutcome::Quiescent) << r.result.unsupported;
  if (!GetParam().message) {
    EXPECT_EQ(r.failure(), "");
    return;
  }
  EXPECT_EQ(r.failure(), GetParam().message);
  EXPECT_EQ(r.failureLine(), 3u);
}

// The statement at fault is on line 3 of each.
INSTANTIATE_TEST_SUITE_P(
    Claims, InterpMemory,
    testing::Values(
        Case{"NullRead", "int *p;\nint main(void) {\nreturn *p;\n}", "null pointer dereference"},
        Case{"NullMember", "struct S { int a[9], b; } *s;\nint main(void) {\ns->b = 1;\n}",
             "null pointer dereference"},
        Case{"NullMemberFarAway", "struct S { int a[99999], b; } *s;\nint main(void) {\ns->b = 1;\n}",
             "null pointer dereference"},
        Case{"LoadedInFrontOf",
             "int first[8] = {1}, *p = first, x[4] = {1};\nint main(void) { p = (int *)((char *)x - "
             "24);\nreturn *p;\n}",
             "out-of-bounds read of 'x' (index -6 of 4)"},
        Case{"WildPointer", "int main(void) { int *p = (int *)0x7777777;\n\n*p = 1;\n}",
             "write to an invalid address"},
        Case{"PastTheEnd", "int a[4], i = 5;\nint main(void) {\nreturn a[i];\n}",
             "out-of-bounds read of 'a' (index 5 of 4)"},
        Case{"FarPastTheEnd", "int a[4], b[400000], i = 100000;\nint main(void) {\nreturn a[i];\n}",
             "out-of-bounds read of 'a' (index 100000 of 4)"},
        Case{"BeforeTheStart", "int z[4], a[4], i = -1;\nint main(void) {\na[i] = 1;\n}",
             "out-of-bounds write to 'a' (index -1 of 4)"},
        Case{"AcrossTheEnd", "int a[4];\nint main(void) {\nreturn *(int *)((char *)a + 14);\n}",
             "out-of-bounds read of 'a' (offset 14 of 16 bytes)"},
        Case{"OnePastIsAnAddress", "int a[4], *p;\nint main(void) {\np = a + 4; return p[-1];\n}", nullptr},
        Case{"ProgramsNamePastTheEnd", "int main(int c, char **v) {\n(void)c;\nreturn v[0][400];\n}",
             "out-of-bounds read of 'argv[0]' (offset 400 of 8 bytes)"},
        Case{"HeapPastTheEnd", "#include <stdlib.h>\nint main(void) { char *p = malloc(3);\np[3] = 1;\n}",
             "out-of-bounds write to 'p' (offset 3 of 3 bytes)"},
        Case{"UseAfterFree",
             "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p);\nreturn *p;\n}",
             "use after free of '*p', freed at test.c:2"},
        Case{"DoubleFree", "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p);\nfree(p);\n}",
             "double free of 'p', freed at test.c:2"},
        Case{"FreeOfAGlobal", "#include <stdlib.h>\nint g; int main(void) {\nfree(&g);\n}",
             "free of 'g', which is not the start of a heap object"},
        Case{"FreeInside", "#include <stdlib.h>\nint main(void) { char *p = malloc(4);\nfree(p + 1);\n}",
             "free of 'p', which is not the start of a heap object"},
        Case{"FreeOfNull", "#include <stdlib.h>\nint main(void) {\nfree(0);\n}", nullptr},
        Case{"StackAfterReturn",
             "int *f(void) { int x = 3; int *p = &x; int **q = &p; return *q; }\nint main(void) {\nreturn "
             "*f();\n}",
             "read of 'x' after its function returned"},
        Case{"StringLiteral", "int main(void) { char *s = \"abc\";\n\ns[1] = 'x';\n}",
             "write to read-only memory 'string literal'"},
        Case{"DivisionByZero", "int a = 7, b;\nint main(void) {\nreturn a / b;\n}", "division by zero"},
        Case{"RemainderByZero", "unsigned a = 7, b;\nint main(void) {\nreturn a % b;\n}", "division by zero"},
        Case{"NullCall", "void (*f)(void);\nint main(void) {\nf();\n}",
             "call through a null function pointer"},
        Case{"DataCall", "int x; int main(void) { void (*f)(void) = (void (*)(void))(&x);\n\nf();\n}",
             "call of an address that is not a function"},
        Case{"BlockPastTheEnd", "#include <string.h>\nchar a[8], b[4]; int main(void) {\nmemcpy(a, b, 5);\n}",
             "out-of-bounds read of 'b' (index 0 of 4)"},
        Case{"StringWithoutEnd",
             "#include <string.h>\nchar a[2] = {'x', 'y'}; int main(void) {\nreturn strlen(a);\n}",
             "out-of-bounds read of 'a' (index 2 of 2)"},
        Case{"AssertionText", "#include <assert.h>\nint x = 3; int main(void) {\nassert(x < 3 || x == 7);\n}",
             "assertion 'x < 3 || x == 7' failed"},
        Case{"ErrorLocation", "void reach_error(void) {}\nint main(void) {\nreach_error();\n}",
             "error location reached"}),
    [](const auto& tested) { return tested.param.name; });

TEST(InterpMemory, HugeObjectsCostOnlyWhatIsTouched) {
  const ProgramRun r = run(R"(
    static char a[1 << 30]; static int b[300000000];
    #include <assert.h>
    int main(void) { a[12345] = 1; b[299999999] = 2; assert(a[12345] + a[99] + b[299999999] == 3); })");
  EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent);
  EXPECT_EQ(r.failure(), "");
}

TEST(InterpMemory, WhatIsFreedIsGivenBack) {
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  const ProgramRun r = run(R"(
    #include <stdlib.h>
    #include <string.h>
    int main(void) {
      for (int i = 0; i < 200; i++) { char *p = malloc(1 << 20); memset(p, i, 1 << 20); free(realloc(p, 2 << 20)); }
      for (int i = 0; i < 4000; i++) free(realloc(malloc(40960), 50000));
      return 3; })");
  getrusage(RUSAGE_SELF, &after);
  EXPECT_EQ(r.result.exitCode, 3);
  EXPECT_LT(after.ru_maxrss, before.ru_maxrss + (160 << 10));  // KiB
}

TEST(InterpMemory, UndefinedValuesAreNotedOnlyWhenUsed) {
  const char* used =
      "#include <stdlib.h>\nint main(void) { int *p = malloc(8); if (p[1]) return 1; return 0; }";
  const ProgramRun r = run(used);
  ASSERT_EQ(r.result.assumptions.size(), 1u);
  EXPECT_EQ(r.result.assumptions[0].second, "uninitialized value taken as 0");
  const char* copied = R"(
    #include <stdlib.h>
    #include <string.h>
    struct S { char c; long l; int unused; } g;
    int main(void) { struct S *p = malloc(sizeof *p), *q = malloc(sizeof *q); p->c = 1; p->l = 2; memcpy(q, p, sizeof *q);
                     g = *q; return g.c + g.l; })";
  EXPECT_TRUE(run(copied).result.assumptions.empty());
}

TEST(InterpMemory, PartialOverlapOfSymbolicBytesIsExact) {
  // Each branch is checked by the sink: the term evaluates to the concrete side.
  RunOptions options;
  options.inputs[0] = {0x12345678, 0xfedcba9876543210};
  const ProgramRun r = run(R"(
    unsigned __VERIFIER_nondet_uint(void); unsigned long __VERIFIER_nondet_ulong(void);
    union { unsigned long l; unsigned i[2]; unsigned short s[4]; unsigned char c[8]; } u;
    struct __attribute__((packed)) { char a; unsigned long b; char c; } p;
    #include <assert.h>
    int main(void) {
      u.l = 0x1111111111111111;
      u.i[1] = __VERIFIER_nondet_uint();
      assert(u.l == 0x1234567811111111);
      u.c[5] = 0xab;
      assert(u.i[1] == 0x1234ab78 && u.s[2] == 0xab78 && u.s[3] == 0x1234);
      u.s[1] = u.s[2];
      assert(u.l == 0x1234ab78ab781111);
      p.b = __VERIFIER_nondet_ulong();
      p.a = 1;
      assert(((unsigned char *)&p)[8] == 0xfe && *(unsigned short *)((char *)&p + 3) == 0x7654);
      *(unsigned *)((char *)&p + 2) = u.i[0];
      assert(p.b == 0xfedcbaab78111110);
      return 0;
    })",
                           options);
  EXPECT_EQ(r.failure(), "") << r.failureLine();
  EXPECT_GE(r.sink->branches.size(), 7u);
}

}  // namespace
}  // namespace heddle::test
