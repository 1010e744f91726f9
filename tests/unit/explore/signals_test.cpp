// Signal handlers that run as threads of their own (analysis/library/signals.c).
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/pipeline/pipeline.h"

namespace heddle {
namespace {

Report withSignals(const std::string& text, Signals signals = Signals::Threads) {
  Snapshot snapshot;
  snapshot.path = "/nowhere/program.c";
  snapshot.text =
      "#include <pthread.h>\n#include <signal.h>\n#include <string.h>\nvoid heddle_assert(int);\n" + text;
  snapshot.command = commandFromFlags(snapshot.path, {});
  snapshot.environment.signals = signals;
  return analyze(snapshot, {}, Budget().withSteps(300'000));
}

void expectNothingWrong(const Report& report) {
  EXPECT_EQ(report.verdict, Verdict::VerifiedWithinBounds) << report.problem;
  for (const Finding& finding : report.findings) ADD_FAILURE() << finding.message;
}

void expectAssertion(const Report& report, const std::string& what) {
  EXPECT_TRUE(std::any_of(report.findings.begin(), report.findings.end(),
                          [](const Finding& finding) { return finding.kind == Property::Assert; }))
      << what << ": " << report.problem;
}

constexpr const char* kCounts =
    "static volatile sig_atomic_t seen, last;\n"
    "static void on_signal(int number) { seen = seen + 1; last = number; }\n";

TEST(Signals, AHandlerRunsOnceForEachSignalAndGetsItsNumber) {
  const std::string installs = std::string(kCounts) +
                               "int main(void) { signal(SIGINT, on_signal); signal(SIGINT, on_signal);\n"
                               "  const int n = last; ";
  expectNothingWrong(
      withSignals(installs + "heddle_assert(n == 0 || n == SIGINT); heddle_assert(seen <= 1); }"));
  expectAssertion(withSignals(installs + "heddle_assert(n == 0); }"), "it runs");
  expectAssertion(withSignals(installs + "signal(SIGTERM, on_signal); heddle_assert(seen < 2); }"),
                  "two run");
  expectNothingWrong(withSignals(installs + "heddle_assert(n == 0); }", Signals::None));
}

TEST(Signals, AThreadOfASignalIsCalledSo) {
  const Report report = withSignals(std::string(kCounts) +
                                    "int main(void) { signal(SIGINT, on_signal); heddle_assert(!seen); }");
  ASSERT_FALSE(report.findings.empty());
  const std::vector<ThreadDescription>& threads = report.findings.front().threads;
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(titleOf(threads[0]), "main");
  EXPECT_EQ(titleOf(threads[1]), "signal handler on_signal");
}

TEST(Signals, AnActionTellsWhatWasSetAndGivesInformation) {
  const std::string program = R"(
static volatile sig_atomic_t told;
static void on_signal(int number, siginfo_t *info, void *context) {
  if (context && info->si_signo == number) told = number;
}
int main(void) {
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, &before);
  heddle_assert(before.sa_handler == SIG_DFL);
  sigaction(SIGUSR1, 0, &before);
  heddle_assert(before.sa_sigaction == on_signal);
  heddle_assert(signal(SIGKILL, SIG_IGN) == SIG_ERR);
  const int n = told;
  heddle_assert(N);
})";
  const auto with = [&](const std::string& condition) {
    std::string text = program;
    return withSignals(text.replace(text.find("(N)") + 1, 1, condition));
  };
  expectNothingWrong(with("n == 0 || n == SIGUSR1"));
  expectAssertion(with("n == 0"), "it is told");
}

TEST(Signals, OneThatIsBlockedOrWhoseHandlerIsGoneDoesNotArrive) {
  const std::string blocks = std::string(kCounts) + R"(
int main(void) {
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  signal(SIGINT, on_signal);
  BEGIN
  const int before = seen;
  heddle_assert(seen == before);
  END
})";
  const auto with = [&](const std::string& begin, const std::string& end) {
    std::string text = blocks;
    text.replace(text.find("BEGIN"), 5, begin);
    return withSignals(text.replace(text.find("END"), 3, end));
  };
  expectNothingWrong(
      with("pthread_sigmask(SIG_BLOCK, &set, &old);", "pthread_sigmask(SIG_SETMASK, &old, 0);"));
  expectNothingWrong(with("signal(SIGINT, SIG_IGN);", ""));
  expectAssertion(with("sigemptyset(&old); pthread_sigmask(SIG_SETMASK, &old, 0);", ""), "it is not blocked");
  expectAssertion(with("sigprocmask(SIG_BLOCK, &set, &old); sigprocmask(SIG_UNBLOCK, &set, 0);", ""),
                  "again");
}

TEST(Signals, ASuspendedThreadWaitsForOne) {
  const std::string program = std::string(kCounts) + R"(
int main(void) {
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigprocmask(SIG_BLOCK, &set, &old);
  signal(SIGINT, on_signal);
  while (!seen) sigsuspend(&old);
  heddle_assert(seen == )";
  expectNothingWrong(withSignals(program + "1); }"));
  expectAssertion(withSignals(program + "0); }"), "it comes");
}

TEST(Signals, OneThatIsRaisedRunsAtOnce) {
  expectNothingWrong(
      withSignals(std::string(kCounts) +
                  "int main(void) { signal(SIGINT, on_signal); raise(SIGINT); heddle_assert(seen); }"));
  // It is the end of the process.
  EXPECT_EQ(withSignals("int main(void) { raise(SIGTERM); heddle_assert(0); }").verdict, Verdict::Verified);
}

TEST(Signals, WhatIsAssumedIsNamed) {
  const Report report =
      withSignals(std::string(kCounts) +
                  "int main(void) { signal(SIGINT, on_signal); signal(SIGSEGV, on_signal);\n"
                  "  for (int n = 10; n < 16; ++n) signal(n, on_signal); }");
  for (const char* text :
       {"a signal with a handler arrives at most once", "no self-deadlock",
        "a signal without a handler does not arrive", "a signal of a fault", "at most four"})
    EXPECT_TRUE(std::any_of(report.assumptions.begin(), report.assumptions.end(), [&](const Assumption& is) {
      return is.text.find(text) != std::string::npos;
    })) << text;
}

}  // namespace
}  // namespace heddle
