// What is an event: sharing as it is learned, the prologue, initial values, operation counts.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

std::vector<std::string> accesses(const ProgramRun& r) {
  std::vector<std::string> lines;
  for (const std::string& line : r.trace())
    if (line.find("read") != std::string::npos || line.find("write") != std::string::npos ||
        line.find("update") != std::string::npos)
      lines.push_back(line);
  return lines;
}

TEST(InterpSharing, OnlySharedWrittenObjectsHaveEvents) {
  const ProgramRun r = run(R"(
    #include <pthread.h>
    int shared, constant = 7, own; static int mine[3];
    void *t(void *x) { int local[2] = {1, 2}; mine[1] += local[1]; shared = constant + mine[1]; return 0; }
    int main(void) { pthread_t h; own = 2; pthread_create(&h, 0, t, 0); own += constant; int s = shared; pthread_join(h, 0); return s + own; })");
  EXPECT_EQ(accesses(r), (std::vector<std::string>{"T0 read shared = 0", "T1 write shared = 9"}));
  EXPECT_EQ(r.relearned, 1);
}

TEST(InterpSharing, ThePrologueSetsInitialValues) {
  const ProgramRun r = run(R"(
    #include <pthread.h>
    int x = 1;
    void *t(void *a) { x = x + 1; return 0; }
    int main(void) { pthread_t h; x = 40; x++; pthread_create(&h, 0, t, 0); pthread_join(h, 0); return x; })");
  EXPECT_EQ(accesses(r), (std::vector<std::string>{"T1 read x = 41", "T1 write x = 42", "T0 read x = 42"}));
  ASSERT_EQ(r.sink->initial.size(), 1u);
  EXPECT_EQ(r.sink->initial.begin()->second.bits, 41u);
}

TEST(InterpSharing, AnOpenBranchEndsThePrologue) {
  const char* text = R"(
    #include <pthread.h>
    int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);
    int x;
    void *t(void *a) { x++; return 0; }
    int main(void) { pthread_t h; int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i < 9); x = 1; if (i == 5) x = 2; x = 3;
      pthread_create(&h, 0, t, 0); pthread_join(h, 0); return x; })";
  const ProgramRun r = run(text);
  const auto events = accesses(r);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.front(), "T0 write x = 3");
  EXPECT_EQ(r.sink->initial.begin()->second.bits, 1u);
}

TEST(InterpSharing, CellsAreRefinedByOverlap) {
  RunOptions options;
  options.symbolicReads = true;
  const ProgramRun r = run(R"(
    #include <pthread.h>
    #include <assert.h>
    union { unsigned long l; unsigned char c[8]; } u;
    void *t(void *a) { u.c[2] = 0x77; return 0; }
    int main(void) { pthread_t h; u.l = 0x1122334455667788; pthread_create(&h, 0, t, 0); pthread_join(h, 0);
      assert(u.l == 0x1122334455777788); u.l = 1; assert(u.c[0] == 1 && u.c[2] == 0); return 0; })",
                           options);
  EXPECT_EQ(r.failure(), "");
  EXPECT_GE(r.relearned, 1);
  EXPECT_EQ(r.sink->initial.size(), 4u);
}

TEST(InterpSharing, OperationsDoNotDependOnWhatIsShared) {
  const char* text = R"(
    #include <pthread.h>
    #include <string.h>
    #include <stdlib.h>
    #include <stdio.h>
    struct S { char name[21]; int n; } a, b; int *heap; _Atomic int n; pthread_mutex_t m;
    void *t(void *x) { struct S local = a; local.n++; pthread_mutex_lock(&m); b = local; *heap += 2; pthread_mutex_unlock(&m);
      memset(&a, 1, sizeof a); n++; char text[30]; sprintf(text, "%d %s", local.n, "abc"); return (void *)strlen(text); }
    int main(void) { pthread_t h, k; void *r; heap = malloc(4); *heap = 1; strcpy(a.name, "text"); pthread_create(&h, 0, t, 0);
      pthread_create(&k, 0, t, 0); a.n = 4; memcpy(&b, &a, sizeof b); pthread_join(h, &r); pthread_join(k, 0); free(heap);
      printf("%s %d %d\n", b.name, (int)(long)r, (int)n); })";
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    RunOptions options;
    options.seed = seed;
    ProgramRun r = run(text, options);
    ASSERT_EQ(r.result.outcome, RunOutcome::Quiescent) << r.result.unsupported;
    ASSERT_EQ(r.failure(), "");
    const std::string output = r.output();
    std::map<ThreadId, uint64_t> last;
    for (const TraceEntry& entry : r.result.trace) {
      EXPECT_GT(entry.operation, last[entry.thread]) << entry.text;
      last[entry.thread] = entry.operation;
    }
    RunOptions replay;
    replay.schedule = r.result.schedule.toString();
    replay.everything = true;
    runAgain(r, replay);
    std::map<ThreadId, uint64_t> lastThere;
    for (const TraceEntry& entry : r.result.trace) lastThere[entry.thread] = entry.operation;
    EXPECT_EQ(lastThere, last);
    EXPECT_EQ(r.output(), output) << replay.schedule;
  }
}

TEST(InterpSharing, FreeAndUseInTwoThreadsAreEvents) {
  const char* text = R"(
    #include <pthread.h>
    #include <stdlib.h>
    int *p;
    void *t(void *a) { *p = 1; return 0; }
    int main(void) { pthread_t h; p = malloc(4); pthread_create(&h, 0, t, 0); free(p); pthread_join(h, 0); return 0; })";
  RunOptions options;
  options.schedule = "T0*5 T1*9";
  ProgramRun r = run(text, options);
  EXPECT_EQ(r.failure(), "");
  const auto trace = r.trace();
  EXPECT_TRUE(std::count(trace.begin(), trace.end(), "T1 use p")) << testing::PrintToString(trace);
  options.schedule = "T0*6 T1*9";
  runAgain(r, options);
  EXPECT_EQ(r.failure(), "use after free of '*p', freed at test.c:6");
}

TEST(InterpSharing, TheResultOfAThreadIsRead) {
  const ProgramRun r = run(R"(
    #include <pthread.h>
    #include <assert.h>
    static __thread int v = 7;
    void *t(void *a) { v++; if (a) pthread_exit((void *)(long)v); return (void *)1; }
    int main(void) { pthread_t h, k; void *x, *y; v = 20; pthread_create(&h, 0, t, 0); pthread_create(&k, 0, t, &h);
      assert(!pthread_equal(h, k) && pthread_equal(pthread_self(), pthread_self()));
      pthread_join(h, &x); pthread_join(k, &y); assert((long)x == 1 && (long)y == 8 && v == 20); })");
  EXPECT_EQ(r.failure(), "");
  const auto trace = r.trace();
  EXPECT_TRUE(std::count(trace.begin(), trace.end(), "T0 read result of a thread = 8"))
      << testing::PrintToString(trace);
}

TEST(InterpSharing, ExitOfMainIsNoted) {
  const char* text = R"(
    #include <pthread.h>
    #include <stdlib.h>
    void *t(void *a) { return 0; }
    int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); %s })";
  const auto with = [&](const char* end) {
    std::string program = text;
    program.replace(program.find("%s"), 2, end);
    return run(program).result.processExited;
  };
  EXPECT_TRUE(with("exit(3);"));
  EXPECT_TRUE(with("return 0;"));
  EXPECT_FALSE(with("pthread_join(h, 0); return 0;"));
}

TEST(InterpSharing, OneRunLearnsAllItCan) {
  // Hundreds of cells are cut in two; each cut alone would cost a restart.
  const ProgramRun r = run(R"(
    #include <pthread.h>
    #include <string.h>
    short a[300]; char b[600];
    void *t(void *x) { memcpy(b, a, 600); for (int i = 0; i < 300; i++) a[i]++; return 0; }
    int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); memset(a, 1, sizeof a); for (int i = 0; i < 599; i++) b[i] = b[i + 1];
      pthread_join(h, 0); return 0; })");
  EXPECT_EQ(r.result.outcome, RunOutcome::Quiescent);
  EXPECT_LE(r.relearned, 2);
}

}  // namespace
}  // namespace heddle::test
