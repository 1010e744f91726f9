// Critical sections in control flow that hurts: the edits are looked at, and the patched program is explored.
#include "analysis/repair/realize.h"
#include "tests/unit/repair/repaired.h"

namespace heddle::testing {
namespace {

/// One region for the statements of `function` that contain a mark /*@*/.
RepairPlan planAtMarks(const std::string& text, const std::string& function = "work") {
  RepairPlan plan;
  plan.kind = RepairPlan::Kind::CriticalSections;
  plan.objects = {"x"};
  plan.regions.emplace_back();
  for (size_t at = text.find("/*@*/"); at != std::string::npos; at = text.find("/*@*/", at + 1)) {
    SourceAccess access;
    access.place.file = "/repair-test/a.c";
    access.place.function = function;
    access.place.line =
        static_cast<uint32_t>(1 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n'));
    const size_t line = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    access.place.column = static_cast<uint32_t>(line == std::string::npos ? at + 1 : at - line);
    plan.regions[0].push_back(access);
  }
  return plan;
}

/// The marked accesses of `worker` in one critical section: what its body becomes. The result is explored: no
/// finding may be left.
std::string guarded(const std::string& worker, const std::string& globals = "int x;\n") {
  const std::string text = twoThreads(globals, worker, "  assert(x >= 0);\n");
  const Snapshot snapshot = snapshotOf(text);
  const Realization realized = realize(snapshot, planAtMarks(text));
  EXPECT_EQ(realized.problem, "") << text;
  if (!realized.problem.empty()) return "";
  const std::string changed = realized.texts.at(snapshot.path);
  const Report after = explored(snapshotOf(changed));
  EXPECT_TRUE(after.findings.empty()) << after.findings.front().message << "\n" << changed;
  EXPECT_EQ(after.verdict, Verdict::Verified) << after.problem << "\n" << changed;
  const size_t begin = changed.find("work(void *arg) {\n") + 18;
  return changed.substr(begin, changed.find("\n}\n\nint main") + 1 - begin);
}

std::string whyNot(const std::string& worker, const std::string& globals = "int x;\n") {
  const std::string text = twoThreads(globals, worker);
  return realize(snapshotOf(text), planAtMarks(text)).problem;
}

constexpr const char* kLockOfX = "pthread_mutex_lock(&x_mutex);";
constexpr const char* kUnlockOfX = "pthread_mutex_unlock(&x_mutex);";

size_t count(const std::string& text, const std::string& word) {
  size_t found = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(CriticalSection, OneStatementKeepsItsComment) {
  EXPECT_EQ(guarded("  x/*@*/++;  // bump\n  return arg;\n"),
            "  pthread_mutex_lock(&x_mutex);\n  x/*@*/++;  // bump\n  pthread_mutex_unlock(&x_mutex);\n"
            "  return arg;\n");
}

TEST(CriticalSection, WhatIsTestedLocallyBehindASectionBelongsToIt) {
  const std::string section = "  pthread_mutex_lock(&m);\n  int *at = &x;\n  pthread_mutex_unlock(&m);\n";
  const std::string globalsOfM = "int x;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
  const std::string text =
      twoThreads(globalsOfM, section + "  if (!at) return NULL;\n  *at/*@*/ += 1;\n  return arg;\n");
  RepairPlan plan = planAtMarks(text);
  plan.existingLock = "m";
  SourceAccess lock = plan.regions[0][0];
  lock.place.line -= 4;
  lock.place.column = 3;
  plan.existingLockAt = lock;
  const Realization realized = realize(snapshotOf(text), plan);
  EXPECT_EQ(realized.problem, "");
  ASSERT_FALSE(realized.texts.empty());
  const std::string& changed = realized.texts.begin()->second;
  EXPECT_EQ(count(changed, "pthread_mutex_lock(&m);"), 1u) << changed;
  EXPECT_NE(changed.find("  *at/*@*/ += 1;\n  pthread_mutex_unlock(&m);\n"), std::string::npos) << changed;
  const Report after = explored(snapshotOf(changed));
  EXPECT_EQ(after.verdict, Verdict::Verified) << changed;
}

TEST(CriticalSection, BodiesGetBraces) {
  EXPECT_EQ(guarded("  for (int i = 0; i < 2; i++)\n    x/*@*/++;\n  return arg;\n"),
            "  for (int i = 0; i < 2; i++) {\n    pthread_mutex_lock(&x_mutex);\n    x/*@*/++;\n"
            "    pthread_mutex_unlock(&x_mutex);\n  }\n  return arg;\n");
  EXPECT_EQ(guarded("  if (arg == NULL)\n    x/*@*/++;\n  else\n    return NULL;\n  return arg;\n"),
            "  if (arg == NULL) {\n    pthread_mutex_lock(&x_mutex);\n    x/*@*/++;\n"
            "    pthread_mutex_unlock(&x_mutex);\n  }\n  else\n    return NULL;\n  return arg;\n");
}

TEST(CriticalSection, ReturnsUnlockAfterComputingTheirValue) {
  const std::string out =
      guarded("  if (x/*@*/ > 5) return arg;\n  x/*@*/++;\n  return x/*@*/ ? arg : NULL;\n");
  EXPECT_EQ(count(out, kLockOfX), 1u) << out;
  EXPECT_EQ(count(out, kUnlockOfX), 2u) << out;
  EXPECT_NE(
      out.find("void *result = x/*@*/ ? arg : NULL;\n  pthread_mutex_unlock(&x_mutex);\n  return result;"),
      std::string::npos)
      << out;
}

TEST(CriticalSection, AReturnAsABodyGetsBracesAndALock) {
  const std::string out = guarded("  if (arg == NULL)\n    return x/*@*/ ? arg : NULL;\n  return arg;\n");
  EXPECT_NE(
      out.find("  if (arg == NULL) {\n    pthread_mutex_lock(&x_mutex);\n    void *result = x/*@*/ ? arg : "
               "NULL;\n    pthread_mutex_unlock(&x_mutex);\n    return result;\n  }\n"),
      std::string::npos)
      << out;
}

TEST(CriticalSection, BreakContinueAndGotoOutUnlock) {
  const std::string out = guarded(
      "  for (int i = 0; i < 3; i++) {\n    if (x/*@*/ == 1) continue;\n    if (x/*@*/ == 7) break;\n"
      "    if (x/*@*/ == 9) goto out;\n    x/*@*/++;\n  }\nout:\n  return arg;\n");
  EXPECT_EQ(count(out, kLockOfX), 1u) << out;
  EXPECT_EQ(count(out, kUnlockOfX), 4u) << out;
}

TEST(CriticalSection, AnInnerLoopsBreakStaysInside) {
  const std::string out = guarded(
      "  x/*@*/++;\n  while (1) {\n    if (arg == NULL) break;\n    arg = NULL;\n  }\n  x/*@*/++;\n  return "
      "arg;\n");
  EXPECT_EQ(count(out, kUnlockOfX), 1u) << out;
}

TEST(CriticalSection, SwitchCasesAreEnteredThroughTheLock) {
  const std::string one = guarded(
      "  switch (arg == NULL) {\n    case 0:\n      x/*@*/++;\n      break;\n    default:\n      break;\n  "
      "}\n"
      "  return arg;\n");
  EXPECT_NE(one.find("case 0:\n      pthread_mutex_lock(&x_mutex);\n      x/*@*/++;\n"
                     "      pthread_mutex_unlock(&x_mutex);\n      break;"),
            std::string::npos)
      << one;
  // Two cases in one region: the switch as a whole.
  const std::string both = guarded(
      "  switch (arg == NULL) {\n    case 0:\n      x/*@*/++;\n      break;\n    default:\n      x/*@*/ += "
      "2;\n"
      "  }\n  return arg;\n");
  EXPECT_LT(both.find(kLockOfX), both.find("switch")) << both;
  EXPECT_EQ(count(both, kUnlockOfX), 1u) << both;
}

TEST(CriticalSection, AJumpIntoItsMiddleWidensIt) {
  const std::string out = guarded(
      "  int n = 0;\n  if (arg != NULL) goto inside;\n  x/*@*/++;\ninside:\n  x/*@*/++;\n  n++;\n  (void)n;\n"
      "  return arg;\n");
  EXPECT_LT(out.find(kLockOfX), out.find("goto inside")) << out;
}

TEST(CriticalSection, ALabelAtItsBeginningTakesTheLockAgain) {
  const std::string out =
      guarded("  int n = 0;\nagain:\n  x/*@*/++;\n  if (++n < 2) goto again;\n  x/*@*/++;\n  return arg;\n");
  EXPECT_LT(out.find("again:"), out.find(kLockOfX)) << out;
  EXPECT_EQ(count(out, kUnlockOfX), 2u) << out;
}

TEST(CriticalSection, DeclarationsStayVisible) {
  const std::string out =
      guarded("  int old = x/*@*/, twice = 2;\n  x/*@*/ = old + 1;\n  return old > twice ? arg : NULL;\n");
  EXPECT_EQ(count(out, "{"), 0u) << out;
}

TEST(CriticalSection, MacrosStayAsTheyAre) {
  const std::string out = guarded("  BUMP(x/*@*/);\n  return arg;\n", "int x;\n#define BUMP(v) (v)++\n");
  EXPECT_NE(out.find("pthread_mutex_lock(&x_mutex);\n  BUMP(x/*@*/);\n"), std::string::npos) << out;
  EXPECT_NE(whyNot("  x/*@*/++;\n  LEAVE;\n  x/*@*/++;\n  return arg;\n",
                   "int x;\n#define LEAVE if (arg) return arg\n")
                .find("comes out of a macro"),
            std::string::npos);
}

TEST(CriticalSection, PthreadExitUnlocks) {
  const std::string out =
      guarded("  x/*@*/++;\n  if (x/*@*/ == 3) pthread_exit(NULL);\n  x/*@*/++;\n  return arg;\n");
  EXPECT_EQ(count(out, kUnlockOfX), 2u) << out;
}

TEST(CriticalSection, SaysWhyItCannot) {
  EXPECT_NE(whyNot("  x/*@*/++;\n  longjmp(buffer, 1);\n  x/*@*/++;\n  return arg;\n",
                   "#include <setjmp.h>\njmp_buf buffer;\nint x;\n")
                .find("longjmp"),
            std::string::npos);
  RepairPlan plan = planAtMarks("int main(void) { /*@*/ return 0; }\n", "nowhere");
  EXPECT_NE(realize(snapshotOf("int main(void) { return 0; }\n"), plan).problem.find("not defined"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::testing
