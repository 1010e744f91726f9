// Calls of functions that are neither defined nor modelled: what they are assumed to change and to return.
#include <gtest/gtest.h>

#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

RunOptions taken(UnknownEffect effect, std::vector<uint64_t> inputs = {}) {
  RunOptions options;
  options.environment.unknown = effect;
  options.inputs[0] = std::move(inputs);
  return options;
}

std::string assumptions(const ProgramRun& run) {
  std::string all;
  for (const auto& [place, text] : run.result.assumptions) all += text + "\n";
  return all;
}

TEST(InterpUnknown, ChangesWhatItsArgumentsPointTo) {
  const char* text = R"(
    struct info { int kind; long size; };
    int describe(const char *name, struct info *out, int *count);
    static int other = 9;
    int main(void) { struct info i; int n; const char *name = "x";
      int r = describe(name, &i, &n);
      return r + 2 * i.kind + 4 * (int)i.size + 8 * n + 16 * (other == 9) + 32 * (name[0] == 'x'); })";
  const ProgramRun r = run(text, taken(UnknownEffect::Arguments, {1, 1, 1, 1}));
  EXPECT_EQ(r.failure(), "");  // nothing of it is uninitialized any more
  EXPECT_EQ(r.result.exitCode, 63);
  EXPECT_EQ(assumptions(r),
            "'describe', defined elsewhere, changes nothing but what its arguments point to and returns any "
            "value\n");
  ASSERT_EQ(r.result.inputs.size(), 4u);
  EXPECT_TRUE(r.result.inputs[0].isInvented);
  EXPECT_FALSE(r.result.inputs[3].isInvented);  // the result is an input like others
  EXPECT_EQ(r.result.inputs[0].name, "what 'describe' left in 'i'");
  EXPECT_EQ(r.result.unknownCalls, std::set<std::string>{"describe"});
}

TEST(InterpUnknown, ChangesNothingWhenToldSo) {
  const char* text = "void touch(int *p); int main(void) { int x = 5; touch(&x); return x; }";
  EXPECT_EQ(run(text, taken(UnknownEffect::Nothing, {7})).result.exitCode, 5);
  EXPECT_EQ(run(text, taken(UnknownEffect::Arguments, {7})).result.exitCode, 7);
  EXPECT_EQ(run(text, taken(UnknownEffect::Refused)).result.unsupported, "call of 'touch'");
}

TEST(InterpUnknown, OneFunctionIsTakenOtherwise) {
  const char* text = R"(
    void touch(int *p); void look(int *p);
    int main(void) { int x = 5, y = 6; touch(&x); look(&y); return 10 * x + y; })";
  RunOptions options = taken(UnknownEffect::Arguments, {7, 8});
  options.environment.unknownByName = {{"look", UnknownEffect::Nothing}};
  EXPECT_EQ(run(text, options).result.exitCode, 76);
}

TEST(InterpUnknown, ReachesThroughPointersAndGlobalVariables) {
  const char* text = R"(
    struct node { struct node *next; int value; };
    static int counter = 1; static const int fixed = 2;
    void visit(struct node *n);
    int main(void) { struct node b = {0, 3}, a = {&b, 4}; visit(&a);
      return (a.next == &b) + 2 * (a.value == 50) + 4 * (b.value == 50) + 8 * (counter == 50) + 16 * (fixed == 2); })";
  EXPECT_EQ(run(text, taken(UnknownEffect::Reachable, {50, 50, 50})).result.exitCode, 31);
  // Of the arguments only: the first node, whose pointer is to another one then.
  EXPECT_EQ(run(text, taken(UnknownEffect::Arguments, {50, 50, 50})).result.exitCode & 8, 0);
}

TEST(InterpUnknown, GivesNewObjects) {
  const char* text = R"(
    typedef struct handle handle; struct info { int kind; };
    handle *openIt(void); struct info *lookUp(handle *h); const char *version(void); int again(handle *h, handle **out);
    int main(void) { handle *a = openIt(), *b = openIt(), *c; again(a, &c);
      return (a != 0) + 2 * (a != b) + 4 * (lookUp(a)->kind == 6) + 8 * (version()[3] == 0) + 16 * (c != 0 && c != a); })";
  const ProgramRun r = run(text, taken(UnknownEffect::Arguments, {6}));
  EXPECT_EQ(r.failure(), "");
  EXPECT_EQ(r.result.exitCode, 31);
}

TEST(InterpUnknown, GivesAsMuchMemoryAsItIsAskedFor) {
  const char* text = R"(
    typedef unsigned long size_t; struct pool;
    void *x_malloc(size_t n); void *poolAlloc(struct pool *p, size_t n); void *ZCALLOC(size_t n, size_t each);
    void *x_realloc(void *p, size_t n); void x_free(void *p);
    int main(void) { struct pool *p = 0; char *a = x_malloc(100), *b = poolAlloc(p, 200); int *c = ZCALLOC(50, 4);
      a[99] = 1; b[199] = 1; a[0] = 5; x_free(a);
      return (c[49] == 0) + 2 * (a[0] == 5); })";
  const ProgramRun r = run(text, taken(UnknownEffect::Arguments, {7, 7, 7}));
  EXPECT_EQ(r.failure(), "");
  EXPECT_EQ(r.result.exitCode, 3);
  EXPECT_NE(assumptions(r).find(
                "'x_malloc', defined elsewhere, changes nothing but what its arguments point to and "
                "returns a new object of as many zero bytes as it is asked for"),
            std::string::npos)
      << assumptions(r);
  EXPECT_NE(run("void *x_malloc(unsigned long n); int main(void) { char *a = x_malloc(20); return a[20]; }",
                taken(UnknownEffect::Arguments))
                .failure(),
            "");
}

TEST(InterpUnknown, WhatNoTypeDescribesIsAsLargeAsItIsUsed) {
  const auto used = [](const std::string& index) {
    return run("void *find(int key); int main(void) { int *a = find(1); a[" + index + "] = 1; return 0; }",
               taken(UnknownEffect::Arguments, {0}));
  };
  const ProgramRun beyond = used("9");
  EXPECT_EQ(beyond.failure(), "");
  EXPECT_NE(assumptions(beyond).find("what functions defined elsewhere return is as large as it is used"),
            std::string::npos)
      << assumptions(beyond);
  EXPECT_EQ(assumptions(used("1")).find("as large as it is used"), std::string::npos);
  EXPECT_NE(used("-1").failure(), "") << "where it begins is known";
}

TEST(InterpUnknown, MayGiveNullWhereAllocationsFail) {
  RunOptions options = taken(UnknownEffect::Arguments, {1});
  options.environment.mallocMayFail = true;
  EXPECT_EQ(run("int *find(void); int main(void) { return find() == 0; }", options).result.exitCode, 1);
}

TEST(InterpUnknown, CallbacksAndTheirDataAreLeftAlone) {
  const ProgramRun r = run(R"(
    void later(void (*f)(void *), void *data);
    static void f(void *data) { *(int *)data = 1; }
    int main(void) { int x = 3; later(f, &x); return x; })",
                           taken(UnknownEffect::Arguments, {9}));
  EXPECT_EQ(r.result.exitCode, 3);
  EXPECT_EQ(assumptions(r),
            "'later', defined elsewhere, changes nothing but what its arguments point to, calls no function "
            "back\n");
}

TEST(InterpUnknown, WhatIsNoMemoryOfTheProgramIsNoFailure) {
  EXPECT_EQ(run("void use(int *p); int main(void) { int a[2] = {1, 2}; use(0); use(a + 2); use((int *)17); "
                "return a[1]; }",
                taken(UnknownEffect::Arguments))
                .result.exitCode,
            2);
  // What was freed is: the call is given a pointer that nobody may use.
  EXPECT_NE(run("#include <stdlib.h>\nvoid use(int *p); int main(void) { int *p = malloc(4); free(p); "
                "use(p); return 0; }",
                taken(UnknownEffect::Arguments))
                .failure(),
            "");
}

TEST(InterpUnknown, WhatItWasGivenCountsAsWritten) {
  const char* text = R"(
    struct table { long first; long row[100]; char name[40]; };
    void fill(void *p);
    int main(void) { struct table t; struct table *own = &t; fill(own); if (t.name[30]) return 3; return 0; })";
  for (const UnknownEffect effect : {UnknownEffect::Arguments, UnknownEffect::Reachable}) {
    const ProgramRun r = run(text, taken(effect));
    EXPECT_EQ(r.failure(), "");
    EXPECT_NE(assumptions(r).find("'fill', defined elsewhere, leaves 0 in the rest of what it is given"),
              std::string::npos);
  }
  EXPECT_EQ(run(text, taken(UnknownEffect::Nothing)).failure(),
            "use of a value that was never written as a condition");
}

TEST(InterpUnknown, OneThatNeverReturnsEndsTheProcess) {
  const ProgramRun r =
      run("void leave(int *p) __attribute__((noreturn)); int main(void) { int x = 5; leave(&x); }",
          taken(UnknownEffect::Arguments));
  EXPECT_EQ(r.failure(), "");
  EXPECT_EQ(assumptions(r), "'leave', defined elsewhere, ends the process\n");
}

TEST(InterpUnknown, WhatCallsLeaveCountsAgainstTheBudget) {
  const char* text = R"(
    struct wide { int a[60]; };
    void fill(struct wide *out);
    int main(void) { struct wide w; for (;;) fill(&w); })";
  RunOptions options = taken(UnknownEffect::Arguments);
  options.steps = 5'000;  // each input is one
  const ProgramRun r = run(text, options);
  EXPECT_EQ(r.result.outcome, RunOutcome::OutOfBudget);
  EXPECT_LE(r.result.inputs.size(), 2 * options.steps);
}

}  // namespace
}  // namespace heddle::test
