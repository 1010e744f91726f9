// Whatever a text does to Clang, the process lives, the next compile works and the host's signal handlers are
// its own.
#include <signal.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>

#include "analysis/compile/crash_guard.h"
#include "compile_helpers.h"

namespace heddle {
namespace {

constexpr std::array kSignals = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};

std::array<struct sigaction, kSignals.size()> handlers() {
  std::array<struct sigaction, kSignals.size()> result{};
  for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], nullptr, &result[i]);
  return result;
}

void expectHandlersUnchanged(const std::array<struct sigaction, kSignals.size()>& before) {
  auto after = handlers();
  for (size_t i = 0; i < kSignals.size(); ++i)
    EXPECT_EQ(before[i].sa_sigaction, after[i].sa_sigaction) << "signal " << kSignals[i];
}

constexpr std::chrono::seconds kLong{60};

[[gnu::noinline]] int recurse(volatile int* depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(*depth);
  *depth = *depth + 1;
  return *depth < 0 ? 0 : recurse(depth) + frame[0];
}

#if !defined(__SANITIZE_THREAD__)  // it takes what follows the jump out of a signal handler for a part of the
                                   // handler
TEST(Crash, GuardTurnsCrashesIntoOutcomes) {
  auto before = handlers();
  EXPECT_EQ(runGuarded([] { std::abort(); }, kLong), GuardOutcome::Crashed);
  EXPECT_EQ(runGuarded([] { __builtin_trap(); }, kLong), GuardOutcome::Crashed);
  EXPECT_EQ(runGuarded([] { raise(SIGSEGV); }, kLong), GuardOutcome::Crashed);
  auto done = std::make_shared<bool>(false);
  EXPECT_EQ(runGuarded([done] { *done = true; }, kLong), GuardOutcome::Done);
  EXPECT_TRUE(*done);
  expectHandlersUnchanged(before);
}
#endif

TEST(Crash, GuardEndsWorkThatGivesUpOrHangs) {
  auto reached = std::make_shared<bool>(false);
  EXPECT_EQ(runGuarded([reached] { abandonGuardedWork(), *reached = true; }, kLong), GuardOutcome::TimedOut);
  EXPECT_FALSE(*reached);
  abandonGuardedWork();  // outside of guarded work: nothing happens

  auto before = handlers();
  auto gate = std::make_shared<std::mutex>();
  std::unique_lock lock(*gate);
  EXPECT_EQ(runGuarded([gate] { std::lock_guard wait(*gate); }, std::chrono::milliseconds(5)),
            GuardOutcome::TimedOut);
  lock.unlock();
  // The abandoned thread gives the handlers back when it ends after all.
  auto deadline = std::chrono::steady_clock::now() + kLong;
  while (handlers()[0].sa_sigaction != before[0].sa_sigaction && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  expectHandlersUnchanged(before);
}

// The sanitizers need far larger frames and report a full stack in their own way.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(Crash, GuardSurvivesAStackOverflow) {
  auto before = handlers();
  for (int i = 0; i < 3; ++i) {
    auto depth = std::make_shared<int>(0);
    EXPECT_EQ(runGuarded([depth] { recurse(depth.get()); }, kLong), GuardOutcome::Crashed);
    EXPECT_GT(*depth, 1000);
  }
  expectHandlersUnchanged(before);
}

TEST(Crash, ATextThatCrashesClangIsAFailedCompile) {
  auto before = handlers();
  Compiler compiler;
  std::string good = "#include <stddef.h>\nsize_t n;\n";
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(compiler.compile(kNowhere, good, commandWith()).module);
  CompileResult result = compiler.compile(kNowhere, crashingText(), commandWith());
  EXPECT_FALSE(result.module);
  ASSERT_EQ(result.messages.size(), 1u) << describe(result);
  EXPECT_EQ(result.failure, CompileFailure::CompilerCrashed);
  EXPECT_TRUE(result.messages[0].text.starts_with("Clang crashed on this file")) << result.messages[0].text;
  EXPECT_EQ(result.messages[0].place.file, kNowhere);
  expectHandlersUnchanged(before);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(compiler.compile(kNowhere, good, commandWith()).module);
  EXPECT_EQ(compiler.compile(kNowhere, "int x\n", commandWith()).failure, CompileFailure::Errors);
}
#endif

TEST(Crash, DebuggingPragmasOfClangDoNothing) {
  for (const char* name :
       {"crash", "parser_crash", "llvm_fatal_error", "llvm_unreachable", "assert", "overflow_stack"}) {
    CompileResult result = compileText("#pragma clang __debug " + std::string(name) + "\nint x;\n");
    EXPECT_TRUE(result.module) << name << "\n" << describe(result);
  }
}

// With a sanitizer a tenth: frames are larger, and what a crashed compile leaves behind would be reported as
// a leak.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kScale = 100;
#else
constexpr int kScale = 1000;
#endif

TEST(Crash, DeepNestingEndsInAnAnswer) {
  // Either a module or an error message; never the end of the process.
  const std::string texts[] = {
      "int f(int a) { return " + repeat("(", 5 * kScale) + "a" + repeat(")", 5 * kScale) + "; }\n",
      "int f(int a) { return " + repeat("-~", 20 * kScale) + "a; }\n",
      "int f(int a) { return a" + repeat(" + a", 20 * kScale) + "; }\n",
      "int f(int a) { " + repeat("if (a) ", 5 * kScale) + "a = 1; return a; }\n",
      "int f(int a) { " + repeat("if (a == 1) a = 2; else ", 3 * kScale) + "a = 1; return a; }\n",
      "int f(void) { " + repeat("{", 5 * kScale) + repeat("}", 5 * kScale) + " return 0; }\n",
      "int " + repeat("*", 20 * kScale) + "p;\n",
      "struct S { " + repeat("struct {", 2 * kScale) + "int a;" + repeat("};", 2 * kScale) + "};\n",
  };
  for (const std::string& text : texts) {
    CompileResult result = compileText(text);
    EXPECT_TRUE(result.module || !result.messages.empty());
  }
}

TEST(Crash, ModerateNestingCompiles) {
  EXPECT_TRUE(
      compileText("int f(int a) { return " + repeat("(", 200) + "a" + repeat(")", 200) + "; }\n").module);
  EXPECT_TRUE(compileText("int f(int a) { return a" + repeat(" + a", 5000) + "; }\n").module);
  EXPECT_TRUE(
      compileText("int f(int a) { " + repeat("if (a == 1) a = 2; else ", 200) + "a = 1; return a; }\n")
          .module);
}

TEST(Crash, ALongFileCompiles) {
  std::string text = "int g;\n";
  for (int i = 0; i < 10000; ++i)
    text += "int f" + std::to_string(i) + "(int a) {\n  if (a > " + std::to_string(i) +
            ")\n    g += a;\n  return g;\n}\n";
  CompileResult result = compileText(text);
  ASSERT_TRUE(result.module) << describe(result);
  EXPECT_EQ(accessesOf(result, "f9999", "g"), (Accesses{2, 1}));
  EXPECT_EQ(result.module->getFunction("f9999")->getSubprogram()->getLine(), 49997u);
}

TEST(Crash, RandomBytesAndTruncatedTextsEndInAnAnswer) {
  Compiler compiler;
  std::string text =
      "#include <stddef.h>\nstruct S { int a[3]; };\nint f(struct S *s) { return s->a[sizeof \"x\\n\"]; }\n";
  unsigned state = 1;
  for (int i = 0; i < 200; ++i) {
    std::string broken = text;
    for (int change = 0; change < 3; ++change) {
      state = state * 1664525u + 1013904223u;
      broken[(state >> 8) % broken.size()] = static_cast<char>(state >> 24);
    }
    if (i % 4 == 0) broken.resize((state >> 8) % broken.size());
    CompileResult result = compiler.compile(kNowhere, broken, commandWith());
    EXPECT_TRUE(result.module || !result.messages.empty());
  }
}

}  // namespace
}  // namespace heddle
