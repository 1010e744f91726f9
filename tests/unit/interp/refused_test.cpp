// Calls that are refused where they are made, and what is let through beside them.
#include <gtest/gtest.h>

#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

/// Inputs of the first thread.
RunOptions given(std::vector<uint64_t> inputs) {
  RunOptions options;
  options.inputs[0] = std::move(inputs);
  return options;
}

TEST(InterpRefused, SignalHandlers) {
  const char* head = "#include <signal.h>\nstatic void h(int s) { (void)s; }\nint main(void) {\n";
  for (const char* body :
       {"signal(SIGINT, h); return 3; }",
        "struct sigaction a = {0}, b; a.sa_handler = h; return 3 + sigaction(2, &a, &b); }"}) {
    RunOptions refuses;
    refuses.environment.signals = Signals::Refused;
    const ProgramRun refused = run(head + std::string(body), refuses);
    EXPECT_TRUE(refused.result.unsupported.starts_with("a signal handler, installed by 'sig"))
        << refused.result.unsupported;
    EXPECT_NE(refused.result.unsupported.find("--refuse-signals"), std::string::npos);
    const ProgramRun installed = run(head + std::string(body));
    EXPECT_EQ(installed.result.exitCode, 3);
    ASSERT_EQ(installed.result.assumptions.size(), 1u);
    EXPECT_EQ(installed.result.assumptions[0].second, "no signal arrives");
    ASSERT_EQ(installed.result.bounds.size(), 1u);
  }
  EXPECT_EQ(run(head + std::string("return raise(2) + (h == 0); }")).result.unsupported, "call of 'raise'");
  const ProgramRun ignored = run(head + std::string("signal(SIGPIPE, SIG_IGN); (void)h; return 4; }"));
  EXPECT_EQ(ignored.result.exitCode, 4);
  ASSERT_EQ(ignored.result.assumptions.size(), 1u);
  EXPECT_EQ(ignored.result.assumptions[0].second, "no signal arrives");
}

TEST(InterpRefused, OtherProcesses) {
  // Handlers of a fork never run.
  EXPECT_EQ(run("#include <pthread.h>\n#include <stdlib.h>\nstatic void h(void) { abort(); }\n"
                "int main(void) { return 3 + pthread_atfork(h, h, h); }")
                .result.exitCode,
            3);
  // The parent goes on, and who is left out is named.
  const ProgramRun forks =
      run("#include <unistd.h>\nint main(void) { return fork() > 0 ? 5 : 6; }", given({1, 8}));
  EXPECT_EQ(forks.result.exitCode, 5);
  EXPECT_EQ(forks.result.assumptions.at(0).second, "what the child of 'fork' does is left out");
  const ProgramRun fails =
      run("#include <errno.h>\n#include <unistd.h>\nint main(void) { return fork() < 0 && errno == EAGAIN ? "
          "5 : 6; }",
          given({0}));
  EXPECT_EQ(fails.result.exitCode, 5);
  const ProgramRun shell = run("#include <stdlib.h>\nint main(void) { return system(\"ls\"); }", given({7}));
  EXPECT_EQ(shell.result.exitCode, 7);
  EXPECT_EQ(shell.result.assumptions.at(0).second,
            "what 'system' runs changes nothing that the program can see");
  EXPECT_NE(run("#include <stdlib.h>\nint main(void) { return system((char *)1); }").failure(), "");
}

TEST(InterpRefused, SignalsThatAreSentDoNotArrive) {
  const char* text =
      "#include <pthread.h>\n#include <signal.h>\n#include <unistd.h>\n"
      "int main(void) { return 2 + pthread_kill(pthread_self(), SIGUSR1) + kill(getppid(), 0); }";
  const ProgramRun sent = run(text, given({1, 9, 1}));
  EXPECT_EQ(sent.result.exitCode, 2);
  EXPECT_EQ(sent.result.assumptions.at(0).second, "no signal arrives");
  EXPECT_EQ(sent.result.bounds.size(), 1u);  // waits that it would end are not judged
  RunOptions refuses;
  refuses.environment.signals = Signals::Refused;
  EXPECT_EQ(run(text, refuses).result.unsupported, "call of 'pthread_kill'");
}

TEST(InterpRefused, AWaitThatBeganBeforeASignalWasSentIsNotJudged) {
  const auto stuckWith = [](const std::string& then) {
    return run("#include <pthread.h>\n#include <semaphore.h>\n#include <signal.h>\n#include <unistd.h>\n"
               "static sem_t ready, never;\n"
               "static void *body(void *p) { sem_post(&ready); sem_wait(&never); return p; }\n"
               "int main(void) { pthread_t t; sem_init(&ready, 0, 0); sem_init(&never, 0, 0);\n"
               "pthread_create(&t, 0, body, 0); sem_wait(&ready); " +
                   then + " pthread_join(t, 0); return 0; }",
               given({9, 1}))
        .result.stuck;
  };
  EXPECT_TRUE(stuckWith(""));
  EXPECT_FALSE(stuckWith("kill(getpid(), SIGTERM);"));
}

TEST(InterpRefused, CopiesOfDescriptorsOfChannels) {
  const char* head = "#include <unistd.h>\nint main(void) { ";
  EXPECT_EQ(run(head + std::string("return dup2(0, 7) + (dup(1) > 2); }"), given({1, 1})).result.exitCode, 8);
  EXPECT_EQ(run(head + std::string("int p[2]; if (pipe(p)) return 1; return dup(p[0]); }"), given({1}))
                .result.unsupported,
            "'dup' of a pipe or the like");
}

/// That is no step of a schedule, so only the thread that has made a pipe may say it when there are others.
TEST(InterpRefused, WhetherAPipeBlocksIsAMatterOfItsMaker) {
  const auto refusal = [](const std::string& made, const std::string& thread, const std::string& behind) {
    return run("#include <fcntl.h>\n#include <pthread.h>\n#include <unistd.h>\n"
               "int q[2];\nvoid *work(void *p) { int *own = p; (void)own; " +
                   thread + " return 0; }\nint main(void) {\n  int p[2]; char c = 1; pthread_t t; " + made +
                   "\n  pthread_create(&t, 0, work, p); pthread_join(t, 0);\n  " + behind +
                   "\n  return c;\n}\n",
               given({1, 1, 1}))
        .result.unsupported;
  };
  const char* const set = "fcntl(q[1], F_SETFL, O_NONBLOCK);";
  const std::string changed = "whether a pipe blocks changed beside other threads";
  EXPECT_EQ(refusal("", std::string("pipe(q); ") + set + " close(q[1]);", ""), "");
  EXPECT_EQ(refusal("", std::string("pipe(q); ") + set, "write(q[1], &c, 1);"), changed);
  EXPECT_EQ(refusal("pipe(q);", set, ""), changed);
}

TEST(InterpRefused, AsynchronousCancellationWhereThreadsAreCancelled) {
  const char* head = "#include <pthread.h>\nint main(void) {\n";
  const char* type = "pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0); ";
  EXPECT_EQ(run(head + std::string(type) + "return pthread_cancel(pthread_self()); }").result.unsupported,
            "asynchronous cancellation");
  EXPECT_EQ(run(head + std::string(type) + "return 3; }").result.exitCode, 3);
}

TEST(InterpRefused, SetsOfSignalsAreOrdinaryMemory) {
  EXPECT_EQ(run(R"(
    #include <signal.h>
    int main(void) { sigset_t s; sigemptyset(&s); sigaddset(&s, SIGTERM);
      return sigismember(&s, SIGTERM) + 2 * sigismember(&s, SIGINT); })")
                .result.exitCode,
            1);
}

}  // namespace
}  // namespace heddle::test
