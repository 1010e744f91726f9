// Thread guesses: what the text tells of changes that nobody who waits is told of, of data that is set behind
// the start of a thread, and of what all threads share.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kWaiterHead = R"(#include <pthread.h>
#include <stdlib.h>
#include <time.h>
struct job { struct job *next; };
struct pool { pthread_mutex_t lock; pthread_cond_t ready; int jobs, busy, limit, stop; struct job *head; pthread_t thread; };
int take(struct pool *p) {
  pthread_mutex_lock(&p->lock);
  while ((p->jobs == 0 && !p->stop) || p->busy >= p->limit || !p->head) {
    pthread_cond_wait(&p->ready, &p->lock);
  }
  p->jobs--;
  pthread_mutex_unlock(&p->lock);
  return 1;
}
static void wake(struct pool *p) { pthread_cond_broadcast(&p->ready); }
)";

/// "line 'what' why" of each, by lines of `more`.
std::string threadGuessesOf(const std::string& more) {
  std::string text;
  for (const LockGuess& guess : harnessesOf(kWaiterHead + more).guesses)
    text += std::to_string(guess.line - 15) + " '" + guess.lock + "' " + guess.why + '\n';
  return text;
}

/// Of a function that changes the pool so.
std::string afterChange(const std::string& change, const std::string& behind = "",
                        const std::string& more = "") {
  return threadGuessesOf(
      "void change(struct pool *p, int n, struct job *j) {\n  pthread_mutex_lock(&p->lock);\n  " + change +
      "\n  " + behind + "\n  pthread_mutex_unlock(&p->lock);\n}\n" + more);
}

std::string untold(const std::string& data) {
  return "3 'pool.ready' is not signalled in 'change' after 'pool." + data +
         "' changed here, which 'take' waits for in line 9\n";
}

/// Lines that may lose a wake-up, and the data.
std::string lostWakeUps(const std::string& more) {
  std::string text;
  for (const LockGuess& guess : harnessesOf(kWaiterHead + more).guesses)
    if (guess.why.find("the wake-up may be lost") != std::string::npos)
      text += std::to_string(guess.line - 15) + " '" + guess.lock + "'\n";
  return text;
}

TEST(ThreadGuesses, ASignalThroughAnotherPointerIsOne) {
  const auto text = [](const std::string& member) {
    return "struct part { pthread_cond_t *" + member +
           "; };\nvoid change(struct pool *p, struct part *part) {\n  pthread_mutex_lock(&p->lock);\n  "
           "p->jobs++;\n"
           "  pthread_cond_signal(part->" +
           member + ");\n  pthread_mutex_unlock(&p->lock);\n}\n";
  };
  EXPECT_EQ(threadGuessesOf(text("ready")), "");
  EXPECT_NE(threadGuessesOf(text("others")), "");
}

TEST(ThreadGuesses, AChangeThatMayEndAWaitNeedsTheLock) {
  EXPECT_EQ(
      lostWakeUps("void stop(struct pool *p) {\n  p->stop = 1;\n  pthread_cond_signal(&p->ready);\n}\n"),
      "2 'pool.stop'\n");
  EXPECT_EQ(lostWakeUps("void stop(struct pool *p) {\n  p->stop = 1;\n  pthread_mutex_lock(&p->lock);\n"
                        "  pthread_cond_signal(&p->ready);\n  pthread_mutex_unlock(&p->lock);\n}\n"),
            "")
      << "who has tested it waits when the lock is taken";
  EXPECT_EQ(lostWakeUps("void stop(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  p->stop = 1;\n"
                        "  pthread_mutex_unlock(&p->lock);\n  pthread_cond_signal(&p->ready);\n}\n"),
            "");
  EXPECT_EQ(
      lostWakeUps("void stop(struct pool *p) {\n  p->stop = 0;\n  pthread_cond_signal(&p->ready);\n}\n"), "")
      << "no wait ends by that";
}

TEST(ThreadGuesses, ASignalElsewhereNeedsTheLockToo) {
  const auto text = [](const std::string& lock, const std::string& unlock) {
    return "void stop(struct pool *p) {\n  p->stop = 1;\n}\nvoid run(struct pool *p) {\n  while (!p->stop) "
           "{}\n  " +
           lock + "pthread_cond_broadcast(&p->ready);" + unlock + "\n}\n";
  };
  EXPECT_EQ(lostWakeUps(text("", "")), "2 'pool.stop'\n");
  EXPECT_EQ(lostWakeUps(text("pthread_mutex_lock(&p->lock); ", " pthread_mutex_unlock(&p->lock);")), "");
}

TEST(ThreadGuesses, AChangeThatMayEndAWaitNeedsASignal) {
  EXPECT_EQ(afterChange("p->jobs++;"), untold("jobs"));
  EXPECT_EQ(afterChange("p->jobs += n;"), untold("jobs"));
  EXPECT_EQ(afterChange("p->stop = 1;"), untold("stop"));
  EXPECT_EQ(afterChange("p->busy--;"), untold("busy"));
  EXPECT_EQ(afterChange("p->limit = n;"), untold("limit"));
  EXPECT_EQ(afterChange("p->head = j;"), untold("head"));
  // The signal comes before: who waits looks at what was.
  EXPECT_EQ(afterChange("pthread_cond_signal(&p->ready); p->jobs++;"), untold("jobs"));
}

TEST(ThreadGuesses, AWaitInABranchOfALoopTestsTheBranch) {
  const auto behind = [](const std::string& change) {
    return threadGuessesOf(
        "void add(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  for (;;) {\n    if (p->busy == "
        "p->limit) {\n"
        "      pthread_cond_wait(&p->ready, &p->lock);\n      continue;\n    }\n    break;\n  }\n"
        "  pthread_mutex_unlock(&p->lock);\n}\n"
        "void change(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  " +
        change + "\n  pthread_mutex_unlock(&p->lock);\n}\n");
  };
  // What waits in 'take' is asked first.
  EXPECT_NE(behind("p->busy--;").find("'pool.busy' changed here"), std::string::npos);
  EXPECT_EQ(behind("p->busy--; wake(p);"), "");
}

TEST(ThreadGuesses, HowALoopWaitsIsNotWhatItWaitsFor) {
  EXPECT_EQ(threadGuessesOf(
                "void await(struct pool *p, struct timespec *t) {\n  pthread_mutex_lock(&p->lock);\n"
                "  while (p->limit == 7) {\n    if (p->busy == 3)\n"
                "      pthread_cond_timedwait(&p->ready, &p->lock, t);\n    else\n"
                "      pthread_cond_wait(&p->ready, &p->lock);\n  }\n  pthread_mutex_unlock(&p->lock);\n}\n"
                "void change(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  p->busy = 3;\n"
                "  pthread_mutex_unlock(&p->lock);\n}\n")
                .find("'pool.busy' changed here, which 'await'"),
            std::string::npos);
}

TEST(ThreadGuesses, WhatThreadsOfAProgramWriteHasACommonLock) {
  const auto written = [](const std::string& run, const std::string& start) {
    return threadGuessesOf(
        "static int total;\nstatic pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;\n"
        "static void add(void) { total++; }\nvoid *run(void *p) {\n  " +
        run + "\n  return p;\n}\nvoid *other(void *p) { total = 2; return p; }\n" +
        "int main(void) {\n  pthread_t t[2];\n  " + start +
        "\n  pthread_join(t[0], NULL);\n  return 0;\n}\n");
  };
  const std::string one = "if (pthread_create(t, NULL, run, NULL)) return 1;";
  const std::string many =
      "for (int i = 0; i < 2; i++) if (pthread_create(t + i, NULL, run, NULL)) return 1;";
  EXPECT_EQ(written("add();", many),
            "3 'total' is written by threads that run 'run', under no common lock\n");
  EXPECT_EQ(written("pthread_mutex_lock(&one); add(); pthread_mutex_unlock(&one);", many), "");
  // It is plain in other functions, which no thread comes to (SharedGuesses).
  EXPECT_EQ(written("__atomic_fetch_add(&total, 1, __ATOMIC_SEQ_CST);", many).find("by threads"),
            std::string::npos);
  EXPECT_EQ(
      written("pthread_mutex_lock(&one); add(); pthread_mutex_unlock(&one);",
              one + " if (pthread_create(t + 1, NULL, other, NULL)) return 1;"),
      "8 'total' is written by threads that run 'other' and 'run', under no common lock (also in line 18)\n");
}

TEST(ThreadGuesses, AChangeWithASignalIsNotTold) {
  for (const std::string behind :
       {"pthread_cond_signal(&p->ready);", "pthread_cond_broadcast(&p->ready);", "wake(p);",
        "if (p->busy) wake(p);", "pthread_mutex_unlock(&p->lock); wake(p); return;"})
    EXPECT_EQ(afterChange("p->jobs++;", behind), "") << behind;
  // The caller signals.
  EXPECT_EQ(afterChange("p->jobs++;", "", "void put(struct pool *p) { change(p, 1, 0); wake(p); }\n"), "");
}

TEST(ThreadGuesses, AChangeThatLetsTheWaitGoOnNeedsNoSignal) {
  for (const std::string change : {"p->jobs--;", "p->jobs = 0;", "p->stop = 0;", "p->busy++;", "p->limit--;",
                                   "p->head = NULL;", "p->head = p->head->next;", "p->head = j->next;"})
    EXPECT_EQ(afterChange(change), "") << change;
  // Nobody waits yet; an object of the function's own.
  EXPECT_EQ(
      threadGuessesOf("void pool_init(struct pool *p) {\n  pthread_mutex_lock(&p->lock);\n  p->jobs = 1;\n"
                      "  pthread_mutex_unlock(&p->lock);\n}\n"),
      "");
  EXPECT_EQ(afterChange("struct pool own; own.jobs = 1; n = own.jobs;"), "");
}

TEST(ThreadGuesses, WhoComparesWithAValueOfItsCallerWaitsForWhatOnlyThatKnows) {
  const std::string wait =
      "void reach(struct pool *p, int wanted) {\n  pthread_mutex_lock(&p->lock);\n"
      "  while (p->stop != wanted) pthread_cond_wait(&p->ready, &p->lock);\n"
      "  pthread_mutex_unlock(&p->lock);\n}\n";
  EXPECT_EQ(afterChange("p->stop = 0;", "", wait), "");
}

/// A block that a macro writes as a loop: its ways that release without having locked do not exist.
TEST(ThreadGuesses, ASignalBehindTheNextLockIsNoneOfTheChange) {
  EXPECT_EQ(threadGuessesOf("#define SYNC(m) for (int i = 0; i ? (pthread_mutex_unlock(m), 0) : "
                            "(pthread_mutex_lock(m), 1); i = 1)\n"
                            "void change(struct pool *p) {\n"
                            "  SYNC(&p->lock) p->stop = 1;\n"
                            "  SYNC(&p->lock) { p->jobs++; pthread_cond_signal(&p->ready); }\n"
                            "}\n"),
            untold("stop"));
}

std::string started(const std::string& behind) {
  return threadGuessesOf(
      "static void *run(void *pool) { struct pool *p = pool; return p->limit ? pool : NULL; }\n"
      "int start(struct pool *p) {\n"
      "  p->limit = 0;\n"
      "  if (pthread_create(&p->thread, NULL, run, p) != 0) {\n"
      "    p->limit = 1;\n"
      "    return -1;\n"
      "  }\n  " +
      behind + "\n  return 0;\n}\n");
}

TEST(ThreadGuesses, WhatAThreadReadsIsSetBeforeItsStart) {
  EXPECT_EQ(
      started("p->limit = 2;"),
      "8 'pool.limit' is set in 'start' behind the start of 'run', which reads it (started in line 19)\n");
  EXPECT_EQ(started("p->busy = 2;"), "");
  EXPECT_EQ(started("pthread_join(p->thread, NULL); p->limit = 2;"), "");
  EXPECT_EQ(started("if (p->busy) p->limit = 2;"), "");
  EXPECT_EQ(started("pthread_mutex_lock(&p->lock); p->limit = 2; wake(p); pthread_mutex_unlock(&p->lock);"),
            "");
}

TEST(ThreadGuesses, ResultsThatAllThreadsShareAreTold) {
  EXPECT_EQ(threadGuessesOf("int day(time_t t) { return localtime(&t)->tm_mday; }\n"),
            "1 'localtime' is called in 'day': its result lies in memory that all threads share\n");
  EXPECT_EQ(threadGuessesOf("int day(time_t t) { struct tm tm; return localtime_r(&t, &tm)->tm_mday; }\n"),
            "");
  EXPECT_EQ(threadGuessesOf("int day(struct pool *p, time_t t) {\n  pthread_mutex_lock(&p->lock);\n"
                            "  const int found = localtime(&t)->tm_mday;\n  pthread_mutex_unlock(&p->lock);\n"
                            "  return found;\n}\n"),
            "");
  const std::string alone = "#include <time.h>\nint day(time_t t) { return localtime(&t)->tm_mday; }\n";
  EXPECT_EQ(harnessesOf(alone).guesses.size(), 1u) << "a library's callers may have threads";
  EXPECT_TRUE(harnessesOf(alone + "int main(void) { return day(0); }\n").guesses.empty());
}

/// Two threads may set up an object each.
TEST(ThreadGuesses, SettingUpAnObjectGuardsNoStaticVariable) {
  EXPECT_EQ(threadGuessesOf("static struct pool *last;\nvoid pool_init(struct pool *p) { last = p; }\n"),
            "2 'last' is static and written in 'pool_init' without a lock: two threads that call it race\n");
  EXPECT_EQ(threadGuessesOf("static int level;\nvoid level_init(int to) { level = to; }\n"), "");
  EXPECT_EQ(threadGuessesOf("static struct pool *last;\nvoid pool_boot2(struct pool *p) { last = p; }\n"), "")
      << "before all threads";
}

TEST(ThreadGuesses, AStaticBufferThatIsHandedOutIsWritten) {
  const auto read = [](const std::string& buffer, const std::string& use) {
    return "#include <stdio.h>\nstatic " + buffer + ";\nint first(FILE *f) {\n  " + use + "\n}\n";
  };
  const std::string what =
      " 'line' is static and written in 'first' without a lock: two threads that call it race\n";
  EXPECT_EQ(threadGuessesOf(read("char line[80]", "return fgets(line, 80, f) ? line[0] : -1;")), "4" + what);
  EXPECT_EQ(threadGuessesOf(read("char line[80]", "char *at = line;\n  return fgets(at, 80, f) ? *at : -1;")),
            "4" + what);
  EXPECT_EQ(threadGuessesOf(read("const char line[] = \"x\"", "return fputs(line, f);")), "");
  EXPECT_EQ(threadGuessesOf(read("char line[80]", "return fputs(line, f);")), "") << "only read";
  EXPECT_EQ(threadGuessesOf(read("_Thread_local char line[80]", "return fgets(line, 80, f) != 0;")), "");
}

}  // namespace
}  // namespace heddle::testing
