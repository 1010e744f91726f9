// Wrong candidates, one for each way to be wrong: every one must be rejected, with its reason. A right one
// passes.
#include "analysis/repair/verify.h"

#include "tests/unit/repair/repaired.h"

namespace heddle::testing {
namespace {

const std::string kGlobals = "int x;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
const std::string kUnguarded = "  if (x == 7)\n    return NULL;\n  x++;\n  return arg;\n";

Verification verdictOn(const std::string& before, const std::string& after) {
  const Snapshot snapshot = snapshotOf(before);
  const Report report = explored(snapshot);
  EXPECT_FALSE(report.findings.empty());
  if (report.findings.empty()) return {};
  return verifyRepair(snapshot, report, report.findings.front().id, {{snapshot.path, after}}, repairOptions(),
                      steps());
}

Verification verdictOnBody(const std::string& body) {
  return verdictOn(twoThreads(kGlobals, kUnguarded), twoThreads(kGlobals, body));
}

TEST(Verify, AcceptsTheRightOne) {
  const Verification verified = verdictOnBody(
      "  pthread_mutex_lock(&m);\n  if (x == 7) {\n    pthread_mutex_unlock(&m);\n    return NULL;\n  }\n  "
      "x++;\n"
      "  pthread_mutex_unlock(&m);\n  return arg;\n");
  EXPECT_EQ(verified.status, RepairStatus::Verified) << verified.reason;
  EXPECT_EQ(verified.checked.find("verified: "), 0u) << verified.checked;
  EXPECT_TRUE(verified.report.findings.empty());
}

// `arg` is always null: no execution comes to where the lock is kept.
TEST(Verify, RejectsALockThatIsKeptWhereNothingEverComes) {
  const Verification verified = verdictOnBody(
      "  pthread_mutex_lock(&m);\n  if (arg != NULL)\n    return NULL;\n  x++;\n  "
      "pthread_mutex_unlock(&m);\n  return arg;\n");
  EXPECT_EQ(verified.status, RepairStatus::Rejected);
  EXPECT_EQ(verified.reason, "on some way through 'work' a lock is kept, or given back once too often");
}

TEST(Verify, NamesALineThatNeverRan) {
  const Verification verified = verdictOnBody(
      "  pthread_mutex_lock(&m);\n  if (arg != NULL) {\n    pthread_mutex_unlock(&m);\n    return NULL;\n  "
      "}\n"
      "  x++;\n  pthread_mutex_unlock(&m);\n  return arg;\n");
  EXPECT_EQ(verified.status, RepairStatus::Verified) << verified.reason;
  EXPECT_NE(verified.caveat.find("; line 11 never ran"), std::string::npos) << verified.caveat;
}

// What is taken away where nothing ever came has not been looked at by any exploration.
TEST(Verify, WhatTakesAwayWhatNeverRanIsNotVerified) {
  const std::string lock = "  pthread_mutex_lock(&m);\n", unlock = "  pthread_mutex_unlock(&m);\n";
  const std::string rare = "  if (arg != NULL) {\n  " + lock + "  " + unlock + "  }\n";
  const std::string end = "  return arg;\n";
  const Verification verified = verdictOn(twoThreads(kGlobals, rare + "  x++;\n" + end),
                                          twoThreads(kGlobals, lock + "  x++;\n" + unlock + end));
  EXPECT_EQ(verified.status, RepairStatus::VerifiedWithinBudget) << verified.reason;
  EXPECT_NE(verified.caveat.find(" never ran"), std::string::npos) << verified.caveat;
  EXPECT_EQ(verified.checked.find("verified"), std::string::npos) << verified.checked;
}

// What the pointer leads to elsewhere may want the lock itself.
TEST(Verify, ACallThroughAPointerWithALockHeldIsNamedAndNotVerified) {
  const std::string globals = kGlobals + "static void (*hook)(void);\n";
  const std::string lock = "  pthread_mutex_lock(&m);\n", unlock = "  pthread_mutex_unlock(&m);\n";
  const std::string call = "  if (hook)\n    hook();\n", end = "  return arg;\n";
  const auto verdict = [&](const std::string& body) {
    return verdictOn(twoThreads(globals, lock + unlock + call + "  x++;\n" + end), twoThreads(globals, body));
  };
  const Verification held = verdict(lock + call + "  x++;\n" + unlock + end);
  EXPECT_EQ(held.status, RepairStatus::VerifiedWithinBudget) << held.reason;
  EXPECT_EQ(held.heldCallback, "hook");
  EXPECT_NE(held.caveat.find("; 'hook' is called with a lock held now"), std::string::npos) << held.caveat;
  EXPECT_EQ(held.checked.find("verified"), std::string::npos) << held.checked;
  const Verification apart = verdict(lock + unlock + call + lock + "  x++;\n" + unlock + end);
  EXPECT_EQ(apart.status, RepairStatus::Verified) << apart.reason;
  EXPECT_EQ(apart.heldCallback, "");
}

TEST(Verify, RejectsALockAtTheWrongPlace) {
  const Verification verified = verdictOnBody(
      "  if (x == 7)\n    return NULL;\n  pthread_mutex_lock(&m);\n  pthread_mutex_unlock(&m);\n  x++;\n  "
      "return arg;\n");
  EXPECT_EQ(verified.status, RepairStatus::Rejected);
  EXPECT_NE(verified.reason.find("still there"), std::string::npos) << verified.reason;
}

TEST(Verify, RejectsASelfDeadlock) {
  const Verification verified = verdictOnBody(
      "  pthread_mutex_lock(&m);\n  if (x == 7)\n    return NULL;\n  pthread_mutex_lock(&m);\n  x++;\n"
      "  pthread_mutex_unlock(&m);\n  pthread_mutex_unlock(&m);\n  return arg;\n");
  EXPECT_EQ(verified.status, RepairStatus::Rejected);
  EXPECT_NE(verified.reason.find("deadlock"), std::string::npos) << verified.reason;
}

TEST(Verify, RejectsAnExitThatKeepsTheLock) {
  const std::string before = "  if (x == 1)\n    return NULL;\n  x++;\n  return arg;\n";
  const Verification verified =
      verdictOn(twoThreads(kGlobals, before),
                twoThreads(kGlobals,
                           "  pthread_mutex_lock(&m);\n  if (x >= 0)\n    return NULL;\n  x++;\n"
                           "  pthread_mutex_unlock(&m);\n  return arg;\n"));
  EXPECT_EQ(verified.status, RepairStatus::Rejected);
  EXPECT_NE(verified.reason.find("deadlock"), std::string::npos) << verified.reason;
}

TEST(Verify, RejectsALockOrderInversion) {
  const auto program = [](const std::string& first, const std::string& second) {
    return "#include <pthread.h>\nint x;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = "
           "PTHREAD_MUTEX_INITIALIZER;\nstatic void *one(void *arg) {\n" +
           first + "  return arg;\n}\nstatic void *two(void *arg) {\n" + second +
           "  return arg;\n}\nint main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, one, 0);\n"
           "  pthread_create(&b, 0, two, 0);\n  pthread_join(a, 0);\n  pthread_join(b, 0);\n  return 0;\n}\n";
  };
  const std::string lockBoth =
      "  pthread_mutex_lock(&m);\n  pthread_mutex_lock(&n);\n  x++;\n  pthread_mutex_unlock(&n);\n"
      "  pthread_mutex_unlock(&m);\n";
  const std::string inverted =
      "  pthread_mutex_lock(&n);\n  pthread_mutex_lock(&m);\n  x++;\n  pthread_mutex_unlock(&m);\n"
      "  pthread_mutex_unlock(&n);\n";
  const Verification verified = verdictOn(program("  x++;\n", "  x++;\n"), program(lockBoth, inverted));
  EXPECT_EQ(verified.status, RepairStatus::Rejected);
  EXPECT_NE(verified.reason.find("deadlock"), std::string::npos) << verified.reason;
}

TEST(Verify, RejectsWhatChangesTheProgram) {
  const std::string before = "  x++;\n  return arg;\n";
  const std::string atEnd = "  printf(\"%d\\n\", x);\n";
  const auto program = [&](const std::string& worker) {
    return "#include <stdio.h>\n" + twoThreads(kGlobals, worker, atEnd);
  };
  EXPECT_NE(verdictOn(program(before), program("  return arg;\n")).reason.find("prints something else"),
            std::string::npos);
  EXPECT_NE(verdictOn(program(before), program("  x++\n  return arg;\n")).reason.find("does not compile"),
            std::string::npos);
  EXPECT_NE(verdictOn(program(before), program("  int unused;\n  return arg;\n")).reason.find("new warning"),
            std::string::npos);
}

/// A thread counts up what its creator frees with the last reference. `before` and `failed`: around the
/// creation; `first`: what the thread begins with.
std::string counted(const std::string& before, const std::string& failed, const std::string& first) {
  return R"(#include <pthread.h>
#include <stdlib.h>
struct part { pthread_mutex_t lock; int references; };
static void get(struct part *p) {
  pthread_mutex_lock(&p->lock);
  p->references++;
  pthread_mutex_unlock(&p->lock);
}
static void put(struct part *p) {
  pthread_mutex_lock(&p->lock);
  const int left = --p->references;
  pthread_mutex_unlock(&p->lock);
  if (left == 0) free(p);
}
static void *work(void *arg) {
)" + first +
         R"(  put(arg);
  return NULL;
}
int main(void) {
  struct part *p = calloc(1, sizeof *p);
  if (!p) abort();
  pthread_mutex_init(&p->lock, NULL);
  p->references = 1;
  pthread_t t;
)" + before +
         R"(  const int failed = pthread_create(&t, NULL, work, p);
)" + failed +
         R"(  put(p);
  if (failed == 0) pthread_join(t, NULL);
  return 0;
}
)";
}

TEST(Verify, RejectsWhatIsLeftOverWhereAThreadCannotBeCreated) {
  const std::string before = counted("", "", "  get(arg);\n");
  const Verification leaks = verdictOn(before, counted("  get(p);\n", "", ""));
  EXPECT_EQ(leaks.status, RepairStatus::Rejected);
  EXPECT_EQ(leaks.reason.find("where no thread can be created: memory leak"), 0u) << leaks.reason;
  const Verification right = verdictOn(before, counted("  get(p);\n", "  if (failed != 0) put(p);\n", ""));
  EXPECT_EQ(right.status, RepairStatus::Verified) << right.reason;
}

TEST(Verify, WhatFailsWithoutTheThreadAnyhowIsNotAskedOfAPatch) {
  const auto withAssertion = [](std::string text) {
    return text.replace(text.find("  put(p);\n  if (failed"), 0, "  assert(failed == 0);\n")
        .insert(0, "#include <assert.h>\n");
  };
  EXPECT_EQ(verdictOn(withAssertion(counted("", "", "  get(arg);\n")),
                      withAssertion(counted("  get(p);\n", "", "")))
                .status,
            RepairStatus::Verified);
}

TEST(Verify, RejectsWhatLeavesNoGoodExecution) {
  const std::string text = "#include <assert.h>\n" + twoThreads(kGlobals, kUnguarded, "  assert(x > 5);\n");
  const Snapshot snapshot = snapshotOf(text);
  const Report report = explored(snapshot);
  const auto race = std::find_if(report.findings.begin(), report.findings.end(),
                                 [](const Finding& f) { return f.kind == Property::Race; });
  ASSERT_NE(race, report.findings.end());
  const std::string guarded =
      twoThreads(kGlobals, "  pthread_mutex_lock(&m);\n  x++;\n  pthread_mutex_unlock(&m);\n  return arg;\n",
                 "  assert(x > 5);\n");
  const Verification bad =
      verifyRepair(snapshot, report, race->id, {{snapshot.path, "#include <assert.h>\n" + guarded}},
                   repairOptions(), steps());
  EXPECT_EQ(bad.status, RepairStatus::Rejected);
  EXPECT_NE(bad.reason.find("ends well"), std::string::npos) << bad.reason;
}

}  // namespace
}  // namespace heddle::testing
