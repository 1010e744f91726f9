// Generated harnesses beyond one text: what headers, other files and functions elsewhere contribute.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

TEST(HarnessReach, AnObjectWithThreadsOfAnotherFileIsUsedByOneThread) {
  Snapshot snapshot = harnessSnapshot(R"(#include <pthread.h>
#include <stdlib.h>
typedef struct pool { pthread_mutex_t lock; int jobs; } pool;
void begin(void *p);
pool *pool_create(void) {
  pool *made = calloc(1, sizeof *made);
  pthread_mutex_init(&made->lock, 0);
  begin(made);
  return made;
}
void pool_add(pool *p) { pthread_mutex_lock(&p->lock); p->jobs++; pthread_mutex_unlock(&p->lock); }
void pool_reset(pool *p) { p->jobs = 0; pthread_mutex_lock(&p->lock); pthread_mutex_unlock(&p->lock); }
)");
  const char* quiet =
      "#include <pthread.h>\n#include <stddef.h>\nstatic void *work(void *p) { return p; }\n"
      "void begin(void *p) { pthread_t t; pthread_create(&t, NULL, work, p); pthread_detach(t); }\n";
  Options options;
  options.harness = "pool_add || pool_reset";
  for (const bool hasThreads : {true, false}) {
    const std::string other = hasThreads ? quiet : "void begin(void *p) { (void)p; }\n";
    snapshot.units = {{"/harness/other.c", other, commandFromFlags("/harness/other.c", {})}};
    const Report report =
        pipelineEngine().analyze(snapshot, options, Budget().withSteps(400'000), Observer{});
    EXPECT_EQ(report.findings.empty(), hasThreads) << report.problem;
    EXPECT_EQ(report.warnings.empty(), !hasThreads);
  }
}

TEST(HarnessReach, WhatAFunctionElsewhereReturnsMayMakeAnAssertionFailOnlyPossibly) {
  const std::string text =
      "#include <assert.h>\nint users(int *lock);\nstatic int lock, freed;\n"
      "int main(void) {\n  int use = users(&lock);\n  assert(use != 0);\n"
      "  if (use < 0) freed = 1;\n  assert(!freed);\n  return 0;\n}\n";
  const Report report = exploredIn(text, "");
  ASSERT_EQ(report.warnings.size(), 1u) << report.problem;
  EXPECT_EQ(report.warnings.front().place.line, 6u) << "what it says of the function is not known";
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings.front().place.line, 8u) << "what the program makes of it is its own";
}

TEST(HarnessReach, WhatAnInlineFunctionOfAHeaderDoesCounts) {
  Snapshot snapshot;
  snapshot.path = "/nowhere/store.c";
  snapshot.text =
      "#include \"atomics.h\"\nstatic int value, puts;\nvoid put(int v) { puts++; store(&value, v); }\n";
  snapshot.overlays["/nowhere/atomics.h"] =
      "static inline void store(int *p, int v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); }\n";
  snapshot.command = commandFromFlags(snapshot.path, {});
  EXPECT_NE(harnessNamed(pipelineEngine().harnesses(snapshot, "main", Budget{}), "put || put"), nullptr);
}

TEST(HarnessReach, AssemblyThatOrdersMemoryIsWorthRunningSideBySide) {
  const std::string text =
      "static int value;\nvoid put(int v) { value = v; __asm__ __volatile__(\"\" ::: \"memory\"); }\n";
  EXPECT_NE(harnessNamed(harnessesOf(text), "put || put"), nullptr);
  const HarnessPlan plain = harnessesOf("static int value;\nvoid put(int v) { value = v; }\n");
  EXPECT_TRUE(std::all_of(plain.harnesses.begin(), plain.harnesses.end(),
                          [](const GeneratedHarness& harness) { return harness.isOptional; }));
}

}  // namespace
}  // namespace heddle::testing
