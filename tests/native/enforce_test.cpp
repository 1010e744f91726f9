// `heddle build --enforce`: buggy programs that keep to constraints fail in none of many shaken runs, and
// end; the same programs without constraints fail in some. (tests/enforce_safety.mjs does the same with more
// programs and runs.)
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/native/native_run.h"

namespace heddle::native {
namespace {

constexpr int kRuns = 100;

/// How many of the runs fail or do not end in 30 s; `enough`: no more are made.
int failuresOf(const std::string& program, int enough) {
  const NativeRun run =
      runShell("bash -c 'f=0; for ((i = 1; i <= " + std::to_string(kRuns) + " && f < " +
                   std::to_string(enough) + "; i++)); do HEDDLE_SHAKE=$i timeout 30 " + program +
                   " >/dev/null 2>&1 || f=$((f + 1)); done; echo failures=$f' 2>/dev/null",
               250);
  const size_t at = run.text.find("failures=");
  return at == std::string::npos ? -1 : std::stoi(run.text.substr(at + 9));
}

std::string contentOf(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
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

TEST(Build, EachInputTakesTheOrderThatServesIt) {
  const Scratch scratch;
  const std::string source = scratch.file("by_input.c"), program = scratch.file("prog");
  std::ofstream(source) << "#include <assert.h>\n#include <pthread.h>\nint heddle_input_int(void);\n"
                           "static _Atomic int x; static int i;\n"
                           "static void *one(void *p) { i = heddle_input_int(); x = 1; return p; }\n"
                           "static void *two(void *p) { x = 2; return p; }\n"
                           "int main(void) {\n  pthread_t t, u;\n  pthread_create(&t, 0, one, 0);\n"
                           "  pthread_create(&u, 0, two, 0);\n  pthread_join(t, 0);\n  pthread_join(u, 0);\n"
                           "  assert(x == (i > 5 ? 1 : 2));\n  return 0;\n}\n";
  const NativeRun built = runShell(heddleCommand("build " + source + " --enforce --shake --write-prefix " +
                                                 scratch.file("prefix") + " -o " + program),
                                   120);
  ASSERT_EQ(built.code, 0) << built.text;
  EXPECT_NE(built.text.find("when the call of heddle_input_int at by_input.c:5 of T1 gives 5 or less"),
            std::string::npos)
      << built.text;
  for (const char* input : {"-2147483648", "0", "5", "6", "2147483647"})
    EXPECT_EQ(failuresOf("env HEDDLE_INPUT=" + std::string(input) + " " + program, kRuns), 0) << input;
  // The conditions are part of the file.
  EXPECT_EQ(
      runShell(heddleCommand("build " + source + " --prefix " + scratch.file("prefix") + " -o " + program),
               60)
          .code,
      0);
}

TEST(Build, C11ThreadsKeepToConstraints) {
  const Scratch scratch;
  const std::string source = scratch.file("c11.c"), program = scratch.file("prog");
  std::ofstream(source)
      << "#include <assert.h>\n#include <threads.h>\nstatic int n; static mtx_t m; static cnd_t c; static "
         "int full;\n"
         "static int one(void *p) { int seen = n; n = seen + 1; mtx_lock(&m); full = 1; cnd_signal(&c);\n"
         "  mtx_unlock(&m); if (p) thrd_exit(3); return 0; }\n"
         "static int two(void *p) { int seen = n; n = seen + 1; mtx_lock(&m); while (!full) cnd_wait(&c, "
         "&m);\n"
         "  mtx_unlock(&m); return p ? 1 : 0; }\n"
         "int main(void) { thrd_t t, u; int r; mtx_init(&m, mtx_plain); cnd_init(&c); thrd_create(&t, one, "
         "&n);\n"
         "  thrd_create(&u, two, 0); thrd_join(t, &r); assert(r == 3); thrd_join(u, &r); assert(n == 2); "
         "return r; }\n";
  const NativeRun built =
      runShell(heddleCommand("build " + source + " --enforce --shake -o " + program), 120);
  ASSERT_EQ(built.code, 0) << built.text;
  EXPECT_NE(built.text.find("safe to run under 1 constraint"), std::string::npos) << built.text;
  EXPECT_EQ(failuresOf(program, kRuns), 0);
  ASSERT_EQ(runShell(heddleCommand("build " + source + " --shake -o " + program)).code, 0);
  EXPECT_GT(failuresOf(program, 1), 0);
}

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
  const std::string text = contentOf(file), header = text.substr(0, text.find('\n') + 1);
  const std::string all = contentOf(scratch.file("all"));
  const auto codeWith = [&](const std::string& content) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
    return runShell(program).code;
  };
  EXPECT_EQ(text, header + "end 0\n");
  EXPECT_EQ(codeWith(text), 0);
  EXPECT_EQ(codeWith(all), 1);
  EXPECT_EQ(codeWith(header + "T1 0 1 T2 0 1\nend 1\n"), 1);
  EXPECT_EQ(codeWith("heddle constraints 1 0000000000000000\nend 0\n"), 1);
  // What is cut off, or says more than it counts, is no file of ours.
  EXPECT_EQ(codeWith(header), 1);
  EXPECT_EQ(codeWith(header + "end 1\n"), 1);
  EXPECT_EQ(codeWith(header + "end 0\nend 0\n"), 1);
  EXPECT_EQ(codeWith(header + "end 0 \n"), 0);
  EXPECT_EQ(codeWith(header + "end 0x\n"), 1);
  EXPECT_EQ(codeWith(header + "end\n"), 1);
  EXPECT_EQ(codeWith(header + "T"), 1);
  EXPECT_EQ(codeWith(header + std::string(100'000, 'T') + "\nend 0\n"), 1);
  EXPECT_EQ(codeWith(header + std::string("\0end 0\n", 8) + "end 0\n"), 1);
  // Nothing is taken from what others may write.
  EXPECT_EQ(codeWith(text), 0);
  std::filesystem::permissions(file, std::filesystem::perms::others_write,
                               std::filesystem::perm_options::add);
  EXPECT_EQ(runShell(program).code, 1);
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  EXPECT_EQ(runShell(program).code, 1);
}

TEST(Build, ARunningProgramTakesFewerConstraintsFromTheFile) {
  // The second thread waits for the first one, which waits for a character: it goes on as soon as the file
  // says that it need not wait.
  const Scratch scratch;
  const std::string source = scratch.file("turns.c"), file = scratch.file("needed"),
                    program = scratch.file("prog"), in = scratch.file("in"), out = scratch.file("out");
  std::ofstream(source)
      << "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n"
         "static atomic_int x; static int seen;\n"
         "static void *one(void *p) { getchar(); x = 1; return p; }\n"
         "static void *two(void *p) { seen = x; puts(\"free\"); fflush(stdout); return p; }\n"
         "int main(void) {\n  pthread_t t, u;\n  pthread_create(&t, 0, one, 0);\n"
         "  pthread_create(&u, 0, two, 0);\n  pthread_join(t, 0);\n  pthread_join(u, 0);\n"
         "  return seen;\n}\n";
  // In one command: made after the first proof, then relaxed.
  const NativeRun built = runShell(heddleCommand(
      "build " + source + " --enforce --order in-turn --relax-from " + file + " -o " + program));
  ASSERT_EQ(built.code, 0) << built.text;
  EXPECT_NE(built.text.find("runs safely under"), std::string::npos) << built.text;
  EXPECT_LT(built.text.find("runs safely under"), built.text.find("safe to run under no constraint"));
  const std::string fewer = contentOf(file);
  EXPECT_NE(fewer.find("\nend 0\n"), std::string::npos) << fewer;
  std::filesystem::remove(file);
  // Without the file nothing is said before the character comes.
  const std::string before =
      "mkfifo " + in + "; " + program + " <" + in + " >" + out + " & exec 3>" + in + "; ";
  const std::string until =
      "for ((i = 0; i < 600; i++)); do grep -q free " + out + " && break; sleep 0.1; done; ";
  const std::string after = "grep -c free " + out + "; echo -n a >&3; wait $!; echo code=$?";
  const NativeRun without = runShell("bash -c '" + before + "sleep 0.5; " + after + "'", 100);
  EXPECT_EQ(without.text, "0\ncode=1\n");
  std::filesystem::remove(in);
  std::ofstream(file + ".new") << fewer;
  const NativeRun with = runShell(
      "bash -c '" + before + "sleep 0.2; mv " + file + ".new " + file + "; " + until + after + "'", 100);
  EXPECT_EQ(with.text, "1\ncode=0\n");
}

}  // namespace
}  // namespace heddle::native
