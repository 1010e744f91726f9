// Guesses of text that the file's command leaves out; each wrong function beside a right one.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

constexpr const char* kHead = R"(#include <pthread.h>
struct queue { pthread_mutex_t lock; int count; };
)";

/// Lines and reasons of the guesses.
std::vector<std::pair<uint32_t, std::string>> guessedSwitched(const std::string& text,
                                                              std::vector<std::string> flags = {}) {
  Snapshot snapshot = harnessSnapshot(kHead + text);
  snapshot.command = commandFromFlags(snapshot.path, flags);
  snapshot.command.isPartial = true;
  std::vector<std::pair<uint32_t, std::string>> found;
  for (const LockGuess& guess : pipelineEngine().harnesses(snapshot, "main", Budget{}).guesses)
    found.emplace_back(guess.line, guess.why);
  return found;
}

std::string put(const std::string& condition, const std::string& way) {
  return "int put(struct queue *q) {\n  pthread_mutex_lock(&q->lock);\n" + condition + "  if (q->count > 4)" +
         way + "\n#endif\n  q->count++;\n  pthread_mutex_unlock(&q->lock);\n  return 0;\n}\n";
}

constexpr const char* kWrong = " return -1;";
constexpr const char* kRight = " { pthread_mutex_unlock(&q->lock); return -1; }";

TEST(SwitchedGuesses, TextBehindASwitchThatIsOffIsReadToo) {
  for (const char* condition :
       {"#ifdef WITH_LIMIT\n", "#if defined(WITH_LIMIT)\n", "#if WITH_LIMIT\n",
        "#if defined(WITH_LIMIT) && !defined(QUIET)\n", "#ifndef WITH_LIMIT\n  q->count = 0;\n#else\n"}) {
    const auto found = guessedSwitched(put(condition, kWrong));
    ASSERT_EQ(found.size(), 1u) << condition;
    EXPECT_NE(found[0].second.find("is still locked on this way through 'put'"), std::string::npos);
    EXPECT_NE(found[0].second.find(", where 'WITH_LIMIT' is defined"), std::string::npos) << found[0].second;
    EXPECT_TRUE(guessedSwitched(put(condition, kRight)).empty()) << condition;
  }
}

TEST(SwitchedGuesses, WhatTheCommandDecidesIsDecided) {
  const std::string text = put("#ifdef WITH_LIMIT\n", kWrong);
  const auto on = guessedSwitched(text, {"-DWITH_LIMIT"});
  ASSERT_EQ(on.size(), 1u);
  EXPECT_EQ(on[0].second.find("WITH_LIMIT"), std::string::npos) << "it is no switch that is off";
  EXPECT_TRUE(guessedSwitched(text, {"-UWITH_LIMIT"}).empty());
  const std::string both = put("#if defined(WITH_LIMIT) && defined(WITH_COUNT)\n", kWrong);
  EXPECT_EQ(guessedSwitched(both, {"-DWITH_COUNT"}).size(), 1u);
  EXPECT_TRUE(guessedSwitched(both, {"-UWITH_COUNT"}).empty());
  EXPECT_TRUE(guessedSwitched("# define WITH_LIMIT_NOT 1\n" + put("#ifdef DEBUG\n", kWrong)).empty());
  EXPECT_TRUE(guessedSwitched(put("#ifdef DEBUGBUILD\n", kWrong)).empty());
  EXPECT_TRUE(guessedSwitched(put("#ifdef LIMITS_1_3_VERSION\n", kWrong)).empty());
}

TEST(SwitchedGuesses, SwitchesOfOtherSystemsAndValuesAreLeftOff) {
  EXPECT_TRUE(guessedSwitched(put("#ifdef _WIN32\n", kWrong)).empty());
  EXPECT_TRUE(guessedSwitched(put("#if 0\n", kWrong)).empty());
  EXPECT_TRUE(
      guessedSwitched("#ifdef LIMIT\nint limit = LIMIT;\n#endif\n" + put("#ifdef LIMIT\n", kWrong)).empty())
      << "it has some value, which nobody knows";
}

TEST(SwitchedGuesses, TypesOfHeadersThatAreMissingAreMadeUp) {
  const auto text = [](const std::string& way) {
    return "#ifdef WITH_LOOKUP\n#include <no_such_library.h>\n#endif\n"
           "struct user { pthread_mutex_t lock; int state;\n#ifdef WITH_LOOKUP\n  lookup_t "
           "lookup;\n#endif\n};\n"
           "int wait_for(struct user *u) {\n#ifdef WITH_LOOKUP\n  if (u->lookup) {\n"
           "    pthread_mutex_lock(&u->lock);\n    if (u->state == 1)\n      u->state = 2;\n    else" +
           way +
           "    pthread_mutex_unlock(&u->lock);\n  }\n#endif\n  return 0;\n}\n"
           "void other(struct user *u) {\n  pthread_mutex_lock(&u->lock);\n  u->state = 1;\n"
           "  pthread_mutex_unlock(&u->lock);\n}\n";
  };
  const auto found = guessedSwitched(text("\n      return -1;\n"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].second.find("where 'WITH_LOOKUP' is defined"), std::string::npos) << found[0].second;
  EXPECT_TRUE(guessedSwitched(text("\n      u->state = 3;\n")).empty());
}

TEST(SwitchedGuesses, FunctionsLeftOutForAMissingTypeAreReadWithOne) {
  const auto text = [](const std::string& way) {
    return "#include <no_such_library.h>\nstruct user { pthread_mutex_t lock; int state; session_t session; "
           "};\n"
           "int read_some(struct user *u) {\n  pthread_mutex_lock(&u->lock);\n"
           "  if (u->session)" +
           way + "\n  pthread_mutex_unlock(&u->lock);\n  return 0;\n}\n";
  };
  const auto found = guessedSwitched(text(" return -1;"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].second.ends_with(", with types that are missing taken as numbers")) << found[0].second;
  EXPECT_TRUE(guessedSwitched(text(" u->state = 1;")).empty());
}

}  // namespace
}  // namespace heddle::testing
