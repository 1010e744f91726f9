// The kinds of plans other than critical sections, each written into a program that has the bug; the result
// is explored and has no finding left.
#include "analysis/repair/realize.h"
#include "tests/unit/repair/repaired.h"

namespace heddle::testing {
namespace {

SourceAccess accessAt(const std::string& text, const std::string& mark, const std::string& function,
                      const std::string& object, AccessKind kind = AccessKind::Write) {
  SourceAccess access;
  const size_t at = text.find(mark);
  EXPECT_NE(at, std::string::npos) << mark;
  access.place = {
      "/repair-test/a.c",
      static_cast<uint32_t>(1 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n')),
      static_cast<uint32_t>(at - text.rfind('\n', at)), function};
  access.object = object;
  access.kind = kind;
  return access;
}

std::string written(const std::string& text, const RepairPlan& plan, const RealizeStyle& style = {}) {
  EXPECT_FALSE(explored(snapshotOf(text)).findings.empty()) << "the program has no bug to begin with";
  const Realization realized = realize(snapshotOf(text), plan, style);
  EXPECT_EQ(realized.problem, "");
  if (!realized.problem.empty()) return "";
  const std::string changed = realized.texts.at("/repair-test/a.c");
  const Report after = explored(snapshotOf(changed));
  EXPECT_TRUE(after.findings.empty()) << after.findings.front().message << "\n" << changed;
  // How far condition variables are explored is not what is tested here.
  EXPECT_NE(after.verdict, Verdict::Error) << after.problem << "\n" << changed;
  EXPECT_NE(after.verdict, Verdict::Unsupported) << after.problem << "\n" << changed;
  return changed;
}

const std::string kInitTooLate =
    "#include <assert.h>\n#include <pthread.h>\n\nint size;\n\nstatic void *use(void *arg) {\n  assert(size "
    "> 0);\n"
    "  return arg;\n}\n\nint main(void) {\n  pthread_t a;\n  pthread_create(&a, 0, use, 0);\n  size = 4;  // "
    "now\n"
    "  pthread_join(a, 0);\n  return 0;\n}\n";

RepairPlan orderPlan(RepairPlan::Kind kind) {
  RepairPlan plan;
  plan.kind = kind;
  plan.orders.push_back({accessAt(kInitTooLate, "size = 4", "main", "size"),
                         accessAt(kInitTooLate, "assert(size", "use", "size", AccessKind::Read), 1});
  plan.create = accessAt(kInitTooLate, "pthread_create", "main", "", AccessKind::Create);
  return plan;
}

TEST(Orders, AnInitializationMovesBeforeTheCreate) {
  const std::string changed = written(kInitTooLate, orderPlan(RepairPlan::Kind::MoveBeforeCreate));
  EXPECT_LT(changed.find("size = 4;"), changed.find("pthread_create(&a")) << changed;
}

TEST(Orders, OrTheCreateMovesBehindIt) {
  RealizeStyle style;
  style.moveCreate = true;
  const std::string changed = written(kInitTooLate, orderPlan(RepairPlan::Kind::MoveBeforeCreate), style);
  EXPECT_LT(changed.find("size = 4;  // now"), changed.find("pthread_create(&a")) << changed;
}

TEST(Orders, AThreadWaitsForASignal) {
  const std::string changed = written(kInitTooLate, orderPlan(RepairPlan::Kind::SignalWait));
  EXPECT_NE(changed.find("while (!size_done)"), std::string::npos) << changed;
  EXPECT_NE(changed.find("pthread_cond_broadcast(&size_changed);"), std::string::npos) << changed;
}

TEST(Orders, LocksAreTakenInOneOrder) {
  const std::string text =
      "#include <pthread.h>\n\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = "
      "PTHREAD_MUTEX_INITIALIZER;\n"
      "int x;\n\nstatic void *one(void *arg) {\n  pthread_mutex_lock(&m);\n  pthread_mutex_lock(&n);\n  "
      "x++;\n"
      "  pthread_mutex_unlock(&n);\n  pthread_mutex_unlock(&m);\n  return arg;\n}\n\n"
      "static void *two(void *arg) {\n  pthread_mutex_lock(&n);  // outer\n  x--;\n  pthread_mutex_lock(&m); "
      " // inner\n"
      "  if (x == 5) {\n    pthread_mutex_unlock(&m);\n    pthread_mutex_unlock(&n);\n    return 0;\n  }\n  "
      "x++;\n"
      "  pthread_mutex_unlock(&m);\n  pthread_mutex_unlock(&n);\n  return arg;\n}\n\nint main(void) {\n"
      "  pthread_t a, b;\n  pthread_create(&a, 0, one, 0);\n  pthread_create(&b, 0, two, 0);\n  "
      "pthread_join(a, 0);\n"
      "  pthread_join(b, 0);\n  return 0;\n}\n";
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::LockOrder;
  plan.lockOrder = {"m", "n"};
  std::vector<SourceAccess>& one = plan.regions.emplace_back();
  one.push_back(accessAt(text, "pthread_mutex_lock(&m);\n  pthread", "one", "m", AccessKind::Lock));
  one.push_back(accessAt(text, "pthread_mutex_lock(&n);\n  x++", "one", "n", AccessKind::Lock));
  std::vector<SourceAccess>& two = plan.regions.emplace_back();
  two.push_back(accessAt(text, "pthread_mutex_lock(&n);  // outer", "two", "n", AccessKind::Lock));
  two.push_back(accessAt(text, "pthread_mutex_lock(&m);  // inner", "two", "m", AccessKind::Lock));
  const std::string changed = written(text, plan);
  const std::string after = changed.substr(changed.find("*two"));
  EXPECT_LT(after.find("lock(&m)"), after.find("lock(&n)")) << changed;
}

TEST(Orders, AWaitIsPutIntoALoop) {
  const std::string text =
      "#include <assert.h>\n#include <pthread.h>\n\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nint items;\n\nstatic void *take(void *arg) {\n"
      "  pthread_mutex_lock(&m);\n  if (items == 0)\n    pthread_cond_wait(&c, &m);\n  assert(items > 0);\n  "
      "items--;\n"
      "  pthread_mutex_unlock(&m);\n  return arg;\n}\n\nstatic void put(void) {\n  pthread_mutex_lock(&m);\n "
      " items++;\n"
      "  pthread_cond_broadcast(&c);\n  pthread_mutex_unlock(&m);\n}\n\nint main(void) {\n  pthread_t a, b;\n"
      "  pthread_create(&a, 0, take, 0);\n  pthread_create(&b, 0, take, 0);\n  put();\n  put();\n  "
      "pthread_join(a, 0);\n"
      "  pthread_join(b, 0);\n  return 0;\n}\n";
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::LoopAroundWait;
  plan.regions.emplace_back().push_back(accessAt(text, "pthread_cond_wait", "take", "c", AccessKind::Wait));
  EXPECT_NE(written(text, plan).find("while (items == 0)"), std::string::npos);
}

/// A wait that nothing tests; its signal comes with what `before` and `after` set.
std::string waitsForASignal(const std::string& before, const std::string& after) {
  return "#include <pthread.h>\n\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
         "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nstatic int ready, data;\n\n"
         "static void *take(void *arg) {\n  pthread_mutex_lock(&m);\n  pthread_cond_wait(&c, &m);\n"
         "  pthread_mutex_unlock(&m);\n  return arg;\n}\n\nstatic void *put(void *arg) {\n  "
         "pthread_mutex_lock(&m);\n  data = 42;\n" +
         before + "  pthread_cond_signal(&c);\n  pthread_mutex_unlock(&m);\n" + after +
         "  return arg;\n}\n\nint main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, take, 0);\n"
         "  pthread_create(&b, 0, put, 0);\n  pthread_join(a, 0);\n  pthread_join(b, 0);\n  return 0;\n}\n";
}

TEST(Orders, AWaitTestsTheFlagThatTheProgramSetsWhereItSignals) {
  const RepairResult result = repairsOf(snapshotOf(waitsForASignal("  ready = 1;\n", "")));
  ASSERT_FALSE(result.patches.empty());
  EXPECT_TRUE(result.patches.front().repair.title.starts_with("wait for 'c' until 'ready' is set (verified"))
      << result.patches.front().repair.title;
  const std::string& changed = result.patches.front().texts.at("/repair-test/a.c");
  EXPECT_NE(changed.find("  while (!ready)\n    pthread_cond_wait(&c, &m);"), std::string::npos) << changed;
}

TEST(Orders, AFlagThatIsSetOutsideTheSectionOfTheSignalIsNone) {
  const RepairResult result = repairsOf(snapshotOf(waitsForASignal("", "  ready = 1;\n")));
  ASSERT_FALSE(result.patches.empty());
  for (const Patch& patch : result.patches) {
    EXPECT_EQ(patch.texts.at("/repair-test/a.c").find("while (!ready)"), std::string::npos)
        << patch.repair.title;
    EXPECT_EQ(patch.repair.title.find("'ready'"), std::string::npos) << patch.repair.title;
  }
}

TEST(Orders, WhereTheProgramsFlagIsTakenBackTheWaitGetsOneOfItsOwn) {
  // By the time the waiter looks, the flag is 0 again.
  const std::string text = waitsForASignal(
      "  ready = 1;\n", "  pthread_mutex_lock(&m);\n  ready = 0;\n  pthread_mutex_unlock(&m);\n");
  const RepairResult result = repairsOf(snapshotOf(text));
  ASSERT_FALSE(result.patches.empty());
  for (const Patch& patch : result.patches)
    EXPECT_EQ(patch.texts.at("/repair-test/a.c").find("while (!ready)"), std::string::npos)
        << patch.repair.title;
  EXPECT_NE(result.patches.front().texts.at("/repair-test/a.c").find("c_signals"), std::string::npos);
}

TEST(Orders, OneGateIsOfferedOnceWhateverItIsCalled) {
  const std::string text =
      "#include <pthread.h>\ntypedef struct { pthread_mutex_t lock; int balance; } account;\n"
      "static account alice = {PTHREAD_MUTEX_INITIALIZER, 5}, bob = {PTHREAD_MUTEX_INITIALIZER, 5};\n"
      "static void transfer(account *from, account *to) {\n  pthread_mutex_lock(&from->lock);\n"
      "  pthread_mutex_lock(&to->lock);\n  from->balance--;\n  to->balance++;\n"
      "  pthread_mutex_unlock(&to->lock);\n  pthread_mutex_unlock(&from->lock);\n}\n"
      "static void *one(void *arg) {\n  transfer(&alice, &bob);\n  return arg;\n}\n"
      "static void *two(void *arg) {\n  transfer(&bob, &alice);\n  return arg;\n}\n"
      "int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, one, 0);\n"
      "  pthread_create(&b, 0, two, 0);\n  pthread_join(a, 0);\n  pthread_join(b, 0);\n  return 0;\n}\n";
  const RepairResult result = repairsOf(snapshotOf(text));
  size_t gates = 0;
  const auto isGate = [](const std::string& title) {
    return title.find("under a new mutex") != std::string::npos;
  };
  for (const Patch& patch : result.patches) gates += isGate(patch.repair.title) ? 1 : 0;
  EXPECT_EQ(gates, 0u) << "an order of the locks that are there is enough";
  for (const RejectedPatch& rejected : result.rejected) gates += isGate(rejected.title) ? 1 : 0;
  EXPECT_EQ(gates, 1u);
}

TEST(Orders, AThreadThatIsJoinedBeforeTheNextIsCreatedIsTheLastResort) {
  const std::string text =
      twoThreads("int x;\n", "  int seen = x;\n  x = seen + 1;\n  return arg;\n", "  assert(x == 2);\n");
  const RepairResult result = repairsOf(snapshotOf(text));
  ASSERT_GE(result.patches.size(), 2u);
  EXPECT_EQ(result.patches.front().repair.kind, "critical-sections");
  const Patch& last = result.patches.back();
  EXPECT_TRUE(last.isLastResort);
  EXPECT_TRUE(last.repair.title.starts_with("join the first thread before the next one is created (verified"))
      << last.repair.title;
  EXPECT_GT(last.repair.fixedOrderings, 0u);
  const std::string& changed = last.texts.at("/repair-test/a.c");
  EXPECT_LT(changed.find("pthread_join(a, NULL);"), changed.find("pthread_create(&b")) << changed;
  EXPECT_EQ(changed.find("pthread_join(a"), changed.rfind("pthread_join(a")) << changed;
}

TEST(Orders, AThreadThatNobodyJoinsIsJoinedBeforeTheNextIsCreated) {
  std::string text =
      twoThreads("int x;\n", "  int seen = x;\n  x = seen + 1;\n  assert(x == seen + 1);\n  return arg;\n");
  text.erase(text.find("  pthread_join(a, NULL);\n"), 25);
  const RepairResult result = repairsOf(snapshotOf(text));
  ASSERT_FALSE(result.patches.empty());
  ASSERT_TRUE(result.patches.back().isLastResort);
  const std::string& changed = result.patches.back().texts.at("/repair-test/a.c");
  EXPECT_LT(changed.find("pthread_join(a, NULL);"), changed.find("pthread_create(&b")) << changed;
}

TEST(Orders, WhatCuresOnlySomeIsOfferedBeforeTheLastResort) {
  // No mutex helps where the order itself is wrong: the combination of two patches does.
  const std::string text =
      "#include <assert.h>\n#include <pthread.h>\n#include <stddef.h>\n\nint x, y;\n\n"
      "static void *one(void *arg) {\n  int seen = x;\n  x = seen + 1;\n  int old = y;\n  y = old + 1;\n  "
      "return arg;\n}\n\n"
      "int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, NULL, one, NULL);\n"
      "  pthread_create(&b, NULL, one, NULL);\n  pthread_join(a, NULL);\n  pthread_join(b, NULL);\n"
      "  assert(x == 2);\n  assert(y == 2);\n  return 0;\n}\n";
  const RepairResult result = repairsOf(snapshotOf(text));
  ASSERT_GE(result.patches.size(), 2u);
  bool isLast = false;
  for (const Patch& patch : result.patches) {
    EXPECT_TRUE(patch.isLastResort || !isLast) << patch.repair.title;
    isLast = patch.isLastResort;
  }
  EXPECT_TRUE(isLast);
  EXPECT_TRUE(result.patches.front().after.findings.empty()) << result.patches.front().repair.title;
}

}  // namespace
}  // namespace heddle::testing
