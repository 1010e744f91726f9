// Guesses from the text about handlers of signals; each wrong one beside a right one.
#include "server/source/signal_guesses.h"

#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

std::string guessed(const std::string& handler, const std::string& install) {
  const Survey survey = surveyOf(harnessSnapshot(
      "#include <errno.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
      "static int fd;\nstatic void say(void) { (void)!write(fd, \"!\", 1); }\nstatic void quit(int n) { " +
      handler + " }\nvoid install(void) {\n  struct sigaction action = {0};\n  " + install + "\n}\n"));
  std::vector<LockGuess> guesses;
  addSignalGuesses(survey, guesses);
  std::string text;
  for (const LockGuess& guess : guesses) text += std::to_string(guess.line) + " " + guess.lock + "\n";
  return text;
}

TEST(SignalGuesses, WhatAHandlerMustNotCall) {
  for (const char* install :
       {"signal(SIGTERM, quit); (void)action;", "action.sa_handler = quit; sigaction(SIGTERM, &action, 0);",
        "struct sigaction other = {.sa_handler = quit}; sigaction(SIGINT, &other, &action);"}) {
    EXPECT_EQ(guessed("exit(n);", install), "7 exit\n") << install;
    EXPECT_EQ(guessed("_exit(n);", install), "") << install;
  }
  EXPECT_EQ(guessed("exit(n);", "quit(1); (void)action;"), "") << "nobody installs it";
}

TEST(SignalGuesses, ErrnoThatIsNotPutBack) {
  const std::string install = "signal(SIGTERM, quit); (void)action;";
  EXPECT_EQ(guessed("(void)n; say();", install), "6 errno\n");
  EXPECT_EQ(guessed("(void)n; int saved = errno; say(); errno = saved;", install), "");
  EXPECT_EQ(guessed("(void)n; do say(); while (errno == EINTR);", install), "6 errno\n")
      << "it only reads it";
  EXPECT_EQ(guessed("say(); _exit(n);", install), "") << "nobody goes on";
  EXPECT_EQ(guessed("say(); if (n) _exit(n);", install), "6 errno\n") << "on one way";
  EXPECT_EQ(guessed("if (n) { say(); _exit(n); }", install), "");
  EXPECT_EQ(guessed("say(); kill(getpid(), n);", install), "");
}

TEST(SignalGuesses, ABlockedSetHasSignals) {
  const auto blocked = [](const std::string& fill, const std::string& how) {
    return guessed("(void)n;", "sigset_t set, old; (void)action; sigemptyset(&set); " + fill +
                                   " sigprocmask(" + how +
                                   ", &set, &old); sigprocmask(SIG_SETMASK, &old, 0);");
  };
  EXPECT_EQ(blocked("", "SIG_BLOCK"), "10 SIG_BLOCK\n");
  EXPECT_EQ(blocked("sigaddset(&set, SIGINT);", "SIG_BLOCK"), "");
  EXPECT_EQ(blocked("", "SIG_SETMASK"), "") << "all signals may come again";
  EXPECT_EQ(guessed("(void)n;",
                    "sigset_t set, now; (void)action; sigemptyset(&set); sigprocmask(SIG_BLOCK, &set, "
                    "&now); fd = sigismember(&now, SIGINT);"),
            "")
      << "it asks";
}

}  // namespace
}  // namespace heddle::testing
