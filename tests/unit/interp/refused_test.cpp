// Calls that are refused where they are made, and what is let through beside them.
#include <gtest/gtest.h>

#include "tests/unit/interp/run_program.h"

namespace heddle::test {
namespace {

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
  // Handlers of a fork that is refused never run.
  EXPECT_EQ(run("#include <pthread.h>\n#include <stdlib.h>\nstatic void h(void) { abort(); }\n"
                "int main(void) { return 3 + pthread_atfork(h, h, h); }")
                .result.exitCode,
            3);
  EXPECT_EQ(run("#include <unistd.h>\nint main(void) { return fork(); }").result.unsupported,
            "call of 'fork'");
  EXPECT_EQ(run("#include <stdlib.h>\nint main(void) { return system(\"ls\"); }").result.unsupported,
            "call of 'system'");
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
