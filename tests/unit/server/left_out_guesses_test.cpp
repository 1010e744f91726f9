// Lock guesses of functions that do not compile under a partial command: told where nothing that decides is
// missing from Clang's tree of them, and only then.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kQueueHead = R"(#include <pthread.h>
#include <nowhere/log.h>
struct queue { pthread_mutex_t lock; int count; struct queue *next; nowhere_t *log; };
int size(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  const int count = q->count;
  pthread_mutex_unlock(&q->lock);
  return count;
}
)";

HarnessPlan partialPlan(const std::string& more) {
  Snapshot snapshot = harnessSnapshot(kQueueHead + more);
  snapshot.command.isPartial = true;
  return pipelineEngine().harnesses(snapshot, "main", Budget{});
}

/// "line 'lock' what" of each, by lines of `more`; a function of it must be left out.
std::string leftOutGuesses(const std::string& more) {
  const HarnessPlan plan = partialPlan(more);
  EXPECT_FALSE(plan.leftOut.empty()) << plan.problem;
  std::string text;
  for (const LockGuess& guess : plan.guesses)
    text += std::to_string(guess.line - 9) + " '" + guess.lock + "' " + guess.why + '\n';
  return text;
}

std::string takeThat(const std::string& inEmpty, const std::string& atEnd = "return 1;") {
  return "int take(struct queue *q) {\n"
         "  pthread_mutex_lock(&q->lock);\n"
         "  if (q->count == 0) { " +
         inEmpty +
         " }\n"
         "  nowhere_log(q->log->name, \"taken\");\n"
         "  pthread_mutex_unlock(&q->lock);\n"
         "  " +
         atEnd + "\n}\n";
}

TEST(LeftOutGuesses, TheWaysOfAFunctionThatDoesNotCompileAreTold) {
  const std::string kept =
      "3 'q->lock' is still locked on this way through 'take', and others release it (locked in line 11)\n";
  EXPECT_EQ(leftOutGuesses(takeThat("return 0;")), kept);
  EXPECT_EQ(leftOutGuesses(takeThat("pthread_mutex_unlock(&q->lock); return 0;")), "");
  // A function beside it that does not compile either releases it.
  EXPECT_EQ(leftOutGuesses("static void leave(struct queue *q) {\n"
                           "  nowhere_log(NOWHERE);\n"
                           "  pthread_mutex_unlock(&q->lock);\n"
                           "}\n" +
                           takeThat("leave(q); return 0;")),
            "");
}

TEST(LeftOutGuesses, NothingCallsAFunctionThatIsOnlyRead) {
  const HarnessPlan plan = partialPlan(takeThat("return 0;"));
  ASSERT_EQ(plan.leftOut.size(), 1u);
  ASSERT_EQ(plan.functions.size(), 1u);
  EXPECT_EQ(plan.functions[0].name, "size");
  for (const GeneratedHarness& harness : plan.harnesses)
    EXPECT_EQ(harness.title.find("take"), std::string::npos) << harness.title;
}

TEST(LeftOutGuesses, NothingIsToldWhereWhatDecidesIsMissing) {
  // Clang drops what it cannot make sense of: a way out, …
  EXPECT_EQ(leftOutGuesses(takeThat("pthread_mutex_unlock(&q->lock); return NOWHERE;")), "");
  EXPECT_EQ(leftOutGuesses(takeThat("pthread_mutex_unlock(&q->lock); NOWHERE_RETURN;")), "");
  EXPECT_EQ(leftOutGuesses(takeThat("NOWHERE_RETURN(q); return 0;")), "") << "a macro may release it";
  // … what is done to a lock, by a function that is not known either, …
  EXPECT_EQ(leftOutGuesses(takeThat("pthread_mutex_unlock(&nowhere(q)->lock); return 0;")), "");
  EXPECT_EQ(leftOutGuesses("static void leave(struct queue *q) {\n"
                           "  pthread_mutex_unlock(&nowhere(q)->lock);\n"
                           "}\n" +
                           takeThat("leave(q); return 0;")),
            "");
  // … which lock it is, …
  EXPECT_EQ(leftOutGuesses("void move(struct queue *q) {\n"
                           "  pthread_mutex_lock(&q->lock);\n"
                           "  q = NOWHERE;\n"
                           "  pthread_mutex_lock(&q->lock);\n"
                           "}\n"),
            "");
  // … and where a loop ends.
  EXPECT_EQ(leftOutGuesses("void drain(struct queue *q) {\n"
                           "  nowhere_each(q) {\n"
                           "    pthread_mutex_lock(&q->lock);\n"
                           "    if (q->count == 0) break;\n"
                           "    pthread_mutex_unlock(&q->lock);\n"
                           "  }\n"
                           "  pthread_mutex_unlock(&q->lock);\n"
                           "}\n"),
            "");
}

}  // namespace
}  // namespace heddle::testing
