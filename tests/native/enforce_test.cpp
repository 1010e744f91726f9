// `heddle build --enforce`: buggy programs that keep to constraints fail in none of many shaken runs, and
// end; the same programs without constraints fail in some. (tests/enforce_safety.mjs does the same with more
// programs and runs.)
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/native/native_run.h"

namespace heddle::native {
namespace {

constexpr int kRuns = 100;

/// How many of the runs fail or do not end in 5 s; `enough`: no more are made.
int failuresOf(const std::string& program, int enough) {
  const NativeRun run =
      runShell("bash -c 'f=0; for ((i = 1; i <= " + std::to_string(kRuns) + " && f < " +
                   std::to_string(enough) + "; i++)); do HEDDLE_SHAKE=$i timeout 5 " + program +
                   " >/dev/null 2>&1 || f=$((f + 1)); done; echo failures=$f' 2>/dev/null",
               250);
  const size_t at = run.text.find("failures=");
  return at == std::string::npos ? -1 : std::stoi(run.text.substr(at + 9));
}

class Enforced : public ::testing::TestWithParam<const char*> {};

TEST_P(Enforced, DoesNotFail) {
  const std::string source = std::string("tests/programs/") + GetParam() + ".c";
  const Scratch scratch;
  const NativeRun built =
      runShell(heddleCommand("build " + source + " --enforce --shake --budget 60s --format json -o " +
                             scratch.file("safe")),
               120);
  ASSERT_EQ(built.code, 0) << built.text;
  const auto json = nlohmann::json::parse(built.text, nullptr, false);
  ASSERT_TRUE(json.is_object()) << built.text;
  EXPECT_TRUE(json.at("safe").get<bool>());
  EXPECT_FALSE(json.at("constraints").empty());  // it has a bug
  EXPECT_EQ(failuresOf(scratch.file("safe"), kRuns), 0) << built.text;

  const NativeRun plain = runShell(heddleCommand("build " + source + " --shake -o " + scratch.file("plain")));
  ASSERT_EQ(plain.code, 0) << plain.text;
  EXPECT_GT(failuresOf(scratch.file("plain"), 1), 0);
}

INSTANTIATE_TEST_SUITE_P(All, Enforced,
                         ::testing::Values("assert/lost_update", "assert/order_violation", "assert/two_bugs",
                                           "sync/philosophers"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           for (char& c : name)
                             if (c == '/') c = '_';
                           return name;
                         });

TEST(Build, APrefixIsWrittenReadAndProvedAgain) {
  const Scratch scratch;
  const std::string source = "docs/examples/bank_transfer.c", prefix = scratch.file("prefix");
  const NativeRun first = runShell(
      heddleCommand("build " + source + " --enforce --write-prefix " + prefix + " -o " + scratch.file("a")));
  ASSERT_EQ(first.code, 0) << first.text;
  EXPECT_NE(first.text.find("safe to run under"), std::string::npos) << first.text;
  const NativeRun second =
      runShell(heddleCommand("build " + source + " --prefix " + prefix + " -o " + scratch.file("b")));
  EXPECT_EQ(second.code, 0) << second.text;
  // 96 and 32 are the inputs with which the transfer fails.
  EXPECT_EQ(runShell("env HEDDLE_INPUT=96,32 " + scratch.file("b")).code, 0);
  // Constraints of another program are none of this one.
  EXPECT_NE(runShell(heddleCommand("build docs/examples/lazy_init.c --prefix " + prefix + " -o " +
                                   scratch.file("c")))
                .code,
            0);
}

TEST(Build, TheCostIsMeasuredOnRequestOnly) {
  const Scratch scratch;
  const std::string source = scratch.file("slow.c");
  std::ofstream(source) << "#include <pthread.h>\n#include <stdatomic.h>\n#include <unistd.h>\n"
                           "static atomic_int x;\n"
                           "static void *one(void *p) { usleep(100000); x = 1; return p; }\n"
                           "static void *two(void *p) { x = 2; return p; }\n"
                           "int main(void) {\n  pthread_t t, u;\n  pthread_create(&t, 0, one, 0);\n"
                           "  pthread_create(&u, 0, two, 0);\n  pthread_join(t, 0);\n  pthread_join(u, 0);\n"
                           "  return 0;\n}\n";
  const std::string build =
      "build " + source + " --enforce --at-least 1 --format json -o " + scratch.file("prog");
  const auto told = [](const NativeRun& run) {
    const auto json = nlohmann::json::parse(run.text, nullptr, false);
    return json.is_object() ? json : nlohmann::json::object();
  };
  EXPECT_FALSE(told(runShell(heddleCommand(build))).contains("overhead"));
  const auto json = told(runShell(heddleCommand(build + " --measure 3")));
  ASSERT_TRUE(json.contains("overhead")) << json;
  EXPECT_EQ(json["overhead"]["runs"], 3);
  EXPECT_GE(json["overhead"]["seconds"], 0.1);
  EXPECT_GE(json["overhead"]["seconds_without"], 0.1);
  EXPECT_GT(json["overhead"]["ratio"], 0.3);
  EXPECT_NE(runShell("test -e " + scratch.file("prog.without-constraints")).code, 0);
}

TEST(Build, ANewRunTakesFewerConstraintsFromTheFile) {
  // Under the constraint the second thread sees what the first wrote; without it, it does not.
  const Scratch scratch;
  const std::string source = scratch.file("turns.c"), file = scratch.file("needed"),
                    program = scratch.file("prog");
  std::ofstream(source) << "#include <pthread.h>\n#include <stdatomic.h>\n#include <unistd.h>\n"
                           "static atomic_int x; static int seen;\n"
                           "static void *one(void *p) { usleep(200000); x = 1; return p; }\n"
                           "static void *two(void *p) { seen = x; return p; }\n"
                           "int main(void) {\n  pthread_t t, u;\n  pthread_create(&t, 0, one, 0);\n"
                           "  pthread_create(&u, 0, two, 0);\n  pthread_join(t, 0);\n  pthread_join(u, 0);\n"
                           "  return seen;\n}\n";
  const NativeRun first =
      runShell(heddleCommand("build " + source + " --enforce --at-least 1 --order in-turn --relax-from " +
                             file + " --write-prefix " + scratch.file("all") + " -o " + program));
  ASSERT_EQ(first.code, 0) << first.text;
  EXPECT_EQ(runShell(program).code, 1);  // no file yet
  const NativeRun second = runShell(heddleCommand(
      "build " + source + " --enforce --order in-turn --write-prefix " + file + " -o " + scratch.file("b")));
  ASSERT_EQ(second.code, 0) << second.text;
  EXPECT_EQ(runShell(program).code, 0);
  // A file that asks for what the program does not have is not taken, nor one of another text.
  runShell("bash -c 'echo \"T1 0 1 T2 0 1\" >> " + file + "'");
  EXPECT_EQ(runShell(program).code, 1);
  runShell("bash -c 'echo \"heddle constraints 1 0000000000000000\" > " + file + "'");
  EXPECT_EQ(runShell(program).code, 1);
  runShell("cp " + scratch.file("all") + " " + file);
  EXPECT_EQ(runShell(program).code, 1);
}

}  // namespace
}  // namespace heddle::native
