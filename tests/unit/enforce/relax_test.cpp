// Constraints: they exclude every failure (Theorem 1 of the paper), hold nobody up for ever (Theorem 2), and
// go where they are not needed.
#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <limits>

#include "analysis/enforce/enforced_program.h"
#include "analysis/enforce/relax.h"

namespace heddle {
namespace {

Snapshot snapshotOf(const std::string& text) {
  Snapshot snapshot;
  snapshot.path = "/test/program.c";
  snapshot.text = "#include <assert.h>\n#include <pthread.h>\nint heddle_input_int(void);\n" + text;
  snapshot.command = commandFromFlags(snapshot.path, {"-std=gnu17"});
  return snapshot;
}

constexpr const char* kTwoThreads = R"(
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  CHECK
  return 0;
})";

std::string twoThreads(const std::string& threads, const std::string& check) {
  std::string main = kTwoThreads;
  main.replace(main.find("CHECK"), 5, check);
  return threads + main;
}

const std::string kLostUpdate = twoThreads(
    "static int x;\n"
    "static void *one(void *p) { x = x + 1; return p; }\n"
    "static void *two(void *p) { x = x + 1; return p; }\n",
    "assert(x == 2);");

Budget steps() {
  return Budget{}.withSteps(2'000'000);
}

Report explored(const Snapshot& snapshot, const Prefix& prefix) {
  return exploreEnforced(snapshot, Options{}, prefix, steps());
}

TEST(Enforcement, ExcludesAFailureAndItsRaces) {
  const Snapshot snapshot = snapshotOf(kLostUpdate);
  ASSERT_EQ(explored(snapshot, {}).verdict, Verdict::Violated);
  const Enforcement found = findEnforcement(snapshot, Options{}, steps());
  ASSERT_TRUE(found.found) << found.problem;
  EXPECT_EQ(found.prefix.constraints.size(), 1u);
  EXPECT_EQ(found.verdict, Verdict::Verified);
  EXPECT_TRUE(found.wasRelaxed);
  EXPECT_FALSE(found.isFree);
  EXPECT_EQ(explored(snapshot, found.prefix).verdict, Verdict::Verified);
}

TEST(Enforcement, NeedsNothingWhereNothingIsWrong) {
  const Snapshot snapshot = snapshotOf(twoThreads(
      "static int x; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "static void *one(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return p; }\n"
      "static void *two(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return p; }\n",
      "assert(x == 2);"));
  const Enforcement found = findEnforcement(snapshot, Options{}, steps());
  ASSERT_TRUE(found.found) << found.problem;
  EXPECT_TRUE(found.isFree);
  EXPECT_GT(found.steps.front().prefix.constraints.size(), 0u);  // safe before that was known
}

TEST(Enforcement, EachProofHasFewerConstraintsThanTheOneBefore) {
  const Snapshot snapshot =
      snapshotOf(twoThreads("static int x, y;\n"
                            "static void *one(void *p) { x = x + 1; y = y + 1; return p; }\n"
                            "static void *two(void *p) { x = x + 1; y = y + 1; return p; }\n",
                            "assert(x == 2 && y == 2);"));
  const Enforcement found = findEnforcement(snapshot, Options{}, steps());
  ASSERT_TRUE(found.found) << found.problem;
  const RelaxStep* last = nullptr;
  for (const RelaxStep& step : found.steps) {
    if (!step.proved) continue;
    if (last) {
      EXPECT_LT(step.prefix.constraints.size(), last->prefix.constraints.size());
      for (const Constraint& c : step.prefix.constraints)
        EXPECT_NE(std::find(last->prefix.constraints.begin(), last->prefix.constraints.end(), c),
                  last->prefix.constraints.end());
      EXPECT_GE(step.sinceStart, last->sinceStart);
    }
    last = &step;
  }
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->prefix.constraints, found.prefix.constraints);
}

/// Whether something waits for ever under the constraints.
bool isStuck(const Report& report) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [](const Finding& f) { return f.kind == Property::Deadlock; });
}

/// The sites at a line of the program (of its own text, from 1), in order.
std::vector<uint32_t> sitesAt(const Snapshot& snapshot, SiteKind kind, uint32_t line) {
  std::vector<Site> sites;
  markedProgram(snapshot, Options{}, sites);
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < sites.size(); ++i)
    if (sites[i].kind == kind && sites[i].place.line == line + 3) found.push_back(i);
  return found;
}

TEST(Enforcement, WaitsInACircleAreNoProgress) {
  const Snapshot snapshot = snapshotOf(kLostUpdate);
  const uint32_t readOne = sitesAt(snapshot, SiteKind::Load, 2).at(0);
  const uint32_t readTwo = sitesAt(snapshot, SiteKind::Load, 3).at(0);
  const Constraint forth{{"T1", readOne, 1}, {"T2", readTwo, 1}};
  const Constraint back{{"T2", readTwo, 1}, {"T1", readOne, 1}};
  EXPECT_FALSE(isStuck(explored(snapshot, {{forth}})));
  EXPECT_TRUE(isStuck(explored(snapshot, {{forth, back}})));
}

TEST(Enforcement, AnEventThatDoesNotComeHoldsNobodyUp) {
  // With the input 0 the first thread never writes y.
  const Snapshot snapshot = snapshotOf(
      twoThreads("static int x, y;\n"
                 "static void *one(void *p) { x = x + 1; if (heddle_input_int()) y = 1; return p; }\n"
                 "static void *two(void *p) { x = x + 1; return p; }\n",
                 "assert(x == 2);"));
  const uint32_t writeY = sitesAt(snapshot, SiteKind::Store, 2).at(1);
  const uint32_t readX = sitesAt(snapshot, SiteKind::Load, 3).at(0);
  const Report report = explored(snapshot, {{{{"T1", writeY, 1}, {"T2", readX, 1}}}});
  EXPECT_EQ(report.verdict, Verdict::Verified) << report.problem;
}

TEST(Enforcement, ServesEveryInput) {
  // Which of the two orders fails is up to the input; under the constraints none does, and none is stuck.
  const Snapshot snapshot =
      snapshotOf(twoThreads("static int x, y;\n"
                            "static void *one(void *p) { int i = heddle_input_int(); if (i > 5) x = x + 1; "
                            "else y = y + 1; return p; }\n"
                            "static void *two(void *p) { x = x + 1; y = y + 1; return p; }\n",
                            "assert(x + y == 3);"));
  ASSERT_EQ(explored(snapshot, {}).verdict, Verdict::Violated);
  const Enforcement found = findEnforcement(snapshot, Options{}, steps());
  ASSERT_TRUE(found.found) << found.problem;
  EXPECT_FALSE(found.isFree);
  EXPECT_EQ(found.verdict, Verdict::Verified);
}

/// Which of two writes must be the last is up to the input: no order serves all of them.
const std::string kOrderByInput = twoThreads(
    "static _Atomic int x;\nstatic int i;\n"
    "static void *one(void *p) { i = heddle_input_int(); x = 1; return p; }\n"
    "static void *two(void *p) { x = 2; return p; }\n",
    "assert(x == (i > 5 ? 1 : 2));");

TEST(Enforcement, EachRangeOfInputsHasItsOwnOrder) {
  const Snapshot snapshot = snapshotOf(kOrderByInput);
  const Enforcement found = findEnforcement(snapshot, Options{}, steps());
  ASSERT_TRUE(found.found) << found.problem;
  EXPECT_EQ(found.verdict, Verdict::Verified);
  ASSERT_EQ(found.prefix.constraints.size(), 2u);
  for (const Constraint& c : found.prefix.constraints) {
    ASSERT_EQ(c.when.size(), 1u);
    EXPECT_EQ(c.when[0].input.thread, "T1");
    EXPECT_EQ(found.sites[c.when[0].input.site].callee, "heddle_input_int");
    if (c.first.thread == "T1")
      EXPECT_EQ(c.when[0].high, 5) << describe(c, found.sites);
    else
      EXPECT_EQ(c.when[0].low, 6) << describe(c, found.sites);
  }
  EXPECT_NE(found.prefix.constraints[0].first.thread, found.prefix.constraints[1].first.thread);
  // Both together, for all inputs, hold everybody up.
  Prefix all = found.prefix;
  for (Constraint& c : all.constraints) c.when.clear();
  EXPECT_TRUE(isStuck(explored(snapshot, all)));
}

TEST(Enforcement, RangesOfTwoInputsAreDividedOneAfterTheOther) {
  const Snapshot snapshot = snapshotOf(twoThreads(
      "static _Atomic int x;\nstatic int i, j;\n"
      "static void *one(void *p) { i = heddle_input_int(); j = heddle_input_int(); x = 1; return p; }\n"
      "static void *two(void *p) { x = 2; return p; }\n",
      "assert(x == (i > 5 && j < -3 ? 1 : 2));"));
  const Enforcement found = findEnforcement(snapshot, Options{}, steps());
  ASSERT_TRUE(found.found) << found.problem;
  EXPECT_EQ(found.verdict, Verdict::Verified);
  bool isTwo = false;
  for (const Constraint& c : found.prefix.constraints) isTwo |= c.when.size() == 2;
  EXPECT_TRUE(isTwo);
}

TEST(Enforcement, RelaxesNoFurtherThanItIsTold) {
  const Snapshot snapshot =
      snapshotOf(twoThreads("static _Atomic int x, y;\n"
                            "static void *one(void *p) { x = 1; y = 1; return p; }\n"
                            "static void *two(void *p) { int a = x; int b = y; return a + b > 2 ? 0 : p; }\n",
                            "assert(x == 1);"));
  EnforceOptions enforce;
  enforce.order = TraceOrder::Alternating;
  const size_t all =
      findEnforcement(snapshot, Options{}, steps(), enforce).steps.front().prefix.constraints.size();
  ASSERT_GE(all, 2u);
  enforce.atLeast = 1;
  const Enforcement found = findEnforcement(snapshot, Options{}, steps(), enforce);
  EXPECT_EQ(found.prefix.constraints.size(), 1u);
  EXPECT_EQ(found.order, TraceOrder::Alternating);
}

TEST(Enforcement, OrdersAtomicSectionsAsWholes) {
  const Snapshot snapshot = snapshotOf(
      "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n" +
      twoThreads(
          "static int x;\n"
          "static void *one(void *p) { __VERIFIER_atomic_begin(); int t = x; __VERIFIER_atomic_end();\n"
          "  __VERIFIER_atomic_begin(); x = t + 1; __VERIFIER_atomic_end(); return p; }\n"
          "static void *two(void *p) { return one(p); }\n",
          "assert(x == 2);"));
  ASSERT_EQ(explored(snapshot, {}).verdict, Verdict::Violated);
  const Enforcement found = findEnforcement(snapshot, Options{}, steps());
  ASSERT_TRUE(found.found) << found.problem;
  for (const Constraint& c : found.prefix.constraints) {
    EXPECT_EQ(found.sites[c.first.site].callee, "__VERIFIER_atomic_end");
    EXPECT_EQ(found.sites[c.then.site].callee, "__VERIFIER_atomic_begin");
  }
}

TEST(Enforcement, ALostWakeupIsExcluded) {
  const Snapshot snapshot =
      snapshotOf(twoThreads("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = "
                            "PTHREAD_COND_INITIALIZER;\n"
                            "static void *one(void *p) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); "
                            "pthread_mutex_unlock(&m); return p; }\n"
                            "static void *two(void *p) { pthread_mutex_lock(&m); pthread_cond_signal(&c); "
                            "pthread_mutex_unlock(&m); return p; }\n",
                            ""));
  ASSERT_TRUE(isStuck(explored(snapshot, {})));
  const Enforcement found = findEnforcement(snapshot, Options{}, steps());
  ASSERT_TRUE(found.found) << found.problem;
  EXPECT_FALSE(found.isFree);
}

TEST(Enforcement, AProgramThatAlwaysFailsHasNone) {
  const Snapshot snapshot =
      snapshotOf(twoThreads("static int x;\nstatic void *one(void *p) { x = 1; return p; }\nstatic void "
                            "*two(void *p) { return p; }\n",
                            "assert(x == 2);"));
  const Enforcement found = findEnforcement(snapshot, Options{}, steps());
  EXPECT_FALSE(found.found);
  EXPECT_FALSE(found.problem.empty());
}

TEST(Enforcement, AProgramWhoseSignalsAreThreadsHasNone) {
  Snapshot snapshot = snapshotOf(
      "#include <signal.h>\nstatic volatile sig_atomic_t seen;\n"
      "static void note(int n) { seen = n; }\n"
      "int main(void) { signal(SIGINT, note); return 0; }\n");
  EXPECT_TRUE(findEnforcement(snapshot, Options{}, steps()).found);
  snapshot.environment.signals = Signals::Threads;
  const Enforcement found = findEnforcement(snapshot, Options{}, steps());
  EXPECT_FALSE(found.found);
  EXPECT_NE(found.problem.find("gets its signals from the system"), std::string::npos) << found.problem;
}

TEST(Enforcement, C11ThreadsKeepToConstraints) {
  const Snapshot snapshot = snapshotOf(
      "#include <threads.h>\nstatic int x;\n"
      "static int one(void *p) { x = x + 1; if (!p) thrd_exit(0); return 0; }\n"
      "static int two(void *p) { (void)p; x = x + 1; return 0; }\n"
      "int main(void) { thrd_t t, u; int r; thrd_create(&t, one, 0); thrd_create(&u, two, 0);\n"
      "  thrd_join(t, &r); thrd_join(u, &r); assert(x == 2); return r; }\n");
  ASSERT_EQ(explored(snapshot, {}).verdict, Verdict::Violated);
  const Enforcement found = findEnforcement(snapshot, Options{}, steps());
  ASSERT_TRUE(found.found) << found.problem;
  EXPECT_EQ(found.verdict, Verdict::Verified);
  EXPECT_EQ(found.prefix.constraints.size(), 1u);
}

/// How many calls of our run-time the program's own functions make.
size_t hooks(const llvm::Module& module) {
  size_t count = 0;
  for (const llvm::Function& function : module) {
    const llvm::StringRef name = function.getName();
    if (name != "one" && name != "two" && name != "main") continue;
    for (const llvm::Instruction& i : llvm::instructions(function))
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&i))
        if (call->getCalledFunction() && call->getCalledFunction()->getName().starts_with("heddle"))
          count += call->getCalledFunction()->getName() != "heddle_pthread_create" &&
                   call->getCalledFunction()->getName() != "heddle_main";
  }
  return count;
}

TEST(Instrumentation, OnlyConstrainedAccessesCarryCode) {
  const Snapshot snapshot = snapshotOf(kLostUpdate);
  const uint32_t write = sitesAt(snapshot, SiteKind::Store, 2).at(0);
  const uint32_t read = sitesAt(snapshot, SiteKind::Load, 3).at(0);
  CompileResult compiled;
  std::vector<Site> sites;
  enforcedModule(snapshot, Options{}, {{{{"T1", write, 1}, {"T2", read, 1}}}}, EnforcedFor::Exploring,
                 compiled, sites);
  ASSERT_NE(compiled.module, nullptr);
  EXPECT_EQ(hooks(*compiled.module), 3u);  // before and behind the write, before the read
  enforcedModule(snapshot, Options{}, {}, EnforcedFor::Exploring, compiled, sites);
  ASSERT_NE(compiled.module, nullptr);
  for (const llvm::Function& function : *compiled.module)
    EXPECT_FALSE(function.getName().starts_with("heddle_") && !function.isDeclaration());
  EXPECT_EQ(hooks(*compiled.module), 0u);
}

TEST(PrefixFile, IsReadAsItWasWrittenAndBelongsToItsText) {
  const std::vector<Site> sites(5);
  const Prefix prefix{{{{"T1", 3, 1}, {"T2.1", 4, 2}},
                       {{"T2.1", 4, 2},
                        {"T1", 0, 7},
                        {{{"T0", 2, 1}, 6}, {{"T1", 1, 3}, std::numeric_limits<int64_t>::min(), -1}}}}};
  const std::string text = prefixText(prefix, 42, sites);
  EXPECT_NE(describe(prefix.constraints[1], sites).find(" gives 6 or more, and the "), std::string::npos);
  std::string problem;
  const std::optional<Prefix> read = parsePrefix(text, 42, problem);
  ASSERT_TRUE(read) << problem;
  EXPECT_EQ(read->constraints, prefix.constraints);
  EXPECT_FALSE(parsePrefix(text, 43, problem));
  EXPECT_NE(problem.find("another text"), std::string::npos);
  EXPECT_FALSE(parsePrefix(text + "T1 x\n", 42, problem));
  // Whoever reads a part of it sees that it is one.
  for (size_t length = 0; length + 1 < text.size(); ++length)
    EXPECT_FALSE(parsePrefix(text.substr(0, length), 42, problem)) << length;
  EXPECT_NE(problem.find("not whole"), std::string::npos);
  EXPECT_FALSE(parsePrefix(text + "end 2\n", 42, problem));
}

TEST(CostModel, FewThreadsThatWaitOftenAreCheaperThanManyThatWaitRarely) {
  Prefix few, many;
  for (uint32_t i = 0; i < 9; ++i) {
    few.constraints.push_back({{"T1", i, 1}, {"T2", i, 1}});
    if (i < 6)
      many.constraints.push_back({{"T" + std::to_string(i + 1), 0, 1}, {"T" + std::to_string(i + 2), 0, 1}});
  }
  EXPECT_LT(costOf(few), costOf(many));
}

TEST(CostModel, AThreadThatWaitsForOneCreatedLaterIsDearer) {
  const auto cost = [](const char* first, const char* then) {
    Prefix prefix;
    prefix.constraints.push_back({{first, 0, 1}, {then, 0, 1}});
    return costOf(prefix);
  };
  EXPECT_LT(cost("T1", "T2"), cost("T2", "T1"));
  EXPECT_LT(cost("T1.9", "T1.10"), cost("T1.10", "T1.9"));
  EXPECT_EQ(cost("T1.1", "T2"), cost("T2", "T1.1"));
}

}  // namespace
}  // namespace heddle
