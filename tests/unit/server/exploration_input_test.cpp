// What the command line explores: configuration files, which files are linked, and that the printed replay
// commands replay. With the real engine.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/driver/check.h"
#include "server/source/c_tokens.h"
#include "server/source/outline.h"

namespace heddle {
namespace {

class RealCheck : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "heddle-input-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
    return folder_ + "/" + name;
  }

  int run(const std::vector<std::string>& arguments) {
    out_.str("");
    err_.str("");
    const Command command = parseCommandLine(arguments);
    if (const auto* exit = std::get_if<ExitNow>(&command)) {
      ADD_FAILURE() << exit->text;
      return exit->code;
    }
    if (const auto* replay = std::get_if<ReplayCommand>(&command))
      return runReplay(*replay, pipelineEngine(), {out_, err_}, {});
    return runCheck(std::get<CheckCommand>(command), pipelineEngine(), {out_, err_}, {});
  }

  /// The first replay command of the last output, as words; folders and schedules here have no blanks of
  /// their own but those within quotes.
  std::vector<std::string> replayCommand() {
    const std::string out = out_.str(), begin = "replay: heddle ";
    const size_t at = out.find(begin);
    if (at == std::string::npos) return {};
    std::vector<std::string> words(1);
    bool quoted = false;
    for (size_t i = at + begin.size(); i < out.size() && out[i] != '\n'; ++i) {
      if (out[i] == '\'')
        quoted = !quoted;
      else if (out[i] == ' ' && !quoted)
        words.emplace_back();
      else
        words.back() += out[i];
    }
    return words;
  }

  std::string folder_;
  std::ostringstream out_, err_;
};

const char* const kCounterProgram =
    "#include <pthread.h>\nvoid add(void);\nstatic void *f(void *p) { add(); return p; }\n"
    "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
const char* const kAdd = "static int n;\nvoid add(void) { n++; }\n";

TEST_F(RealCheck, AFileIsLinkedWhateverItsPreprocessorBranchesLookLike) {
  const std::string unbalanced =
      std::string("#ifdef A\nint k(int x) {\n#else\nint k(void) {\n#endif\n  return 0;\n}\n") +
      kCounterProgram;
  const std::string main = write("main.c", unbalanced);
  const std::string dropped =
      write("add.c", std::string(kAdd) + "#ifdef SELF_TEST\nint main(void) { add(); return 0; }\n#endif\n");
  EXPECT_EQ(run({"check", "--property", "race", main, dropped}), 1) << out_.str();
  EXPECT_EQ(out_.str().find("returns any value"), std::string::npos);
  EXPECT_EQ(run(replayCommand()), 1) << err_.str();
}

TEST_F(RealCheck, AnEntryPointThatAMacroMakesIsSeen) {
  const std::string main =
      write("main.c", "#define PROGRAM int main(void)\nvoid add(void);\nPROGRAM { add(); return 0; }\n");
  const std::string unit = write("unit.c", "#include <assert.h>\nvoid add(void) { assert(0); }\n");
  EXPECT_EQ(run({"check", unit, main}), 1) << out_.str() << err_.str();
}

TEST_F(RealCheck, ReplayCommandsReplay) {
  const std::string one = write("one.c", kCounterProgram), two = write("two.c", kCounterProgram),
                    unit = write("unit.c", kAdd);
  const std::string spare = write("spare.c", "int spare;\n");
  EXPECT_EQ(run({"check", "--property", "race", one, two, unit, spare}), 1);
  EXPECT_EQ(run(replayCommand()), 1) << err_.str();

  const std::string harness =
      write("ring.c",
            "// heddle: harness push(1) || push(x)\nstatic int top;\nvoid push(int v) { top = top + v; }\n");
  EXPECT_EQ(run({"check", "--property", "race", harness}), 1) << out_.str();
  EXPECT_EQ(run(replayCommand()), 1) << err_.str();

  std::string other = kCounterProgram;
  other.replace(other.find("main"), 4, "begin");
  const std::string entry = write("entry.c", other + kAdd);
  EXPECT_EQ(run({"check", "--property", "race", "--entry", "begin", entry}), 1);
  EXPECT_EQ(run(replayCommand()), 1) << err_.str();
}

TEST_F(RealCheck, TheProjectsConfigurationHoldsAndTheCommandLineCountsMore) {
  const std::string file = write("a.c", std::string(kCounterProgram) + kAdd);
  EXPECT_EQ(run({"check", file}), 1);
  write(".heddle.yaml", "properties: [assert]\nbugget: 3s\n");
  EXPECT_EQ(run({"check", file}), 0) << out_.str();
  EXPECT_EQ(err_.str(), "heddle: warning: " + folder_ + "/.heddle.yaml:2:1: unknown setting 'bugget'\n");
  EXPECT_EQ(run({"check", "--property", "race", file}), 1) << out_.str();
}

TEST_F(RealCheck, ACompileDatabaseThatIsNamedCounts) {
  const std::string file = write("a.c", "#ifdef LOCKED\nint main(void) { return 0; }\n#endif\n");
  std::filesystem::create_directories(folder_ + "/out");
  write("out/compile_commands.json",
        R"([{"directory": ")" + folder_ +
            R"(", "file": "a.c", "arguments": ["cc", "-DLOCKED", "-c", "a.c"]}])");
  EXPECT_EQ(run({"check", file}), 3);
  EXPECT_EQ(run({"check", "-p", folder_ + "/out", file}), 0) << out_.str() << err_.str();
  EXPECT_EQ(run({"check", "-p", folder_ + "/out/compile_commands.json", file}), 0);
  EXPECT_EQ(run({"check", "-p", folder_, file}), 3);
  EXPECT_NE(err_.str().find("no such file; name the folder"), std::string::npos) << err_.str();
  EXPECT_EQ(run({"check", "-p", folder_ + "/out", write("b.c", "int main(void) { return 0; }\n")}), 0);
  EXPECT_NE(err_.str().find("b.c is not in "), std::string::npos) << err_.str();
}

TEST_F(RealCheck, WhatAProgramDoesNotComeToIsCalledAlone) {
  const std::string head =
      "#include <pthread.h>\n#include <string.h>\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
      "int find(const char *text) { return strchr(text, 'y')[0]; }\n"
      "struct pool { pthread_cond_t ready; };\nstatic struct pool own;\n"
      "int wait(struct pool *p) {\n  pthread_mutex_lock(&lock);\n"
      "  pthread_cond_wait(&p->ready, &lock);\n  pthread_mutex_unlock(&lock);\n  return 0;\n}\n";
  const std::string left =
      write("left.c",
            head + "int main(int argc, char **argv) { return argc > 9 ? find(argv[1]) + wait(&own) : 0; }\n");
  EXPECT_EQ(run({"check", "--args", "", left}), 0) << "the program is verified";
  EXPECT_NE(out_.str().find("left.c:4:"), std::string::npos) << out_.str();
  EXPECT_EQ(out_.str().find("left.c:9:"), std::string::npos) << "who waits alone, waits for others";
  EXPECT_NE(err_.str().find("'p->ready' is waited for once"), std::string::npos) << err_.str();
  EXPECT_EQ(run({"check", "--args", "", "--format", "json", left}), 0);
  EXPECT_NE(out_.str().find("\"harness\":\"find\""), std::string::npos) << out_.str();
  // What the program comes to, it calls as it is meant.
  const std::string taken =
      write("taken.c", head + "int main(void) { return find(\"xy\") == 'y' ? 0 : wait(&own); }\n");
  EXPECT_EQ(run({"check", taken}), 0) << out_.str() << err_.str();
  EXPECT_EQ(out_.str().find("taken.c:4:"), std::string::npos) << out_.str();
  // What nothing in the program calls, is not reached either.
  const std::string never = write("never.c", head + "int main(void) { return 0; }\n");
  EXPECT_EQ(run({"check", never}), 0) << out_.str() << err_.str();
  EXPECT_NE(out_.str().find("never.c:4:"), std::string::npos) << out_.str();
  EXPECT_EQ(run({"check", "--budget", "0", never}), 0) << "the calls end all the same";
  // The compiler sees that it is a program.
  const std::string hidden =
      write("hidden.c", head + "#ifndef TEST\nint main(void) { int *p = 0; return *p; }\n#endif\n");
  EXPECT_EQ(run({"check", hidden}), 1) << out_.str() << err_.str();
  // A violation is enough to do.
  const std::string wrong =
      write("wrong.c",
            head + "int main(int argc, char **argv) { int *p = 0; return argc > 9 ? find(argv[1]) : *p; }\n");
  EXPECT_EQ(run({"check", "--args", "", wrong}), 1);
  EXPECT_EQ(out_.str().find("wrong.c:4:"), std::string::npos) << out_.str();
}

TEST_F(RealCheck, AFileThatDoesNotCompileIsNoSuccessInSarif) {
  const std::string file = write("bad.c", "int main(void) { return x; }\n"),
                    good = write("good.c", "int main(void) { return 0; }\n");
  EXPECT_EQ(run({"check", "--format", "sarif", file}), 3);
  EXPECT_NE(out_.str().find("\"executionSuccessful\":false"), std::string::npos) << out_.str();
  EXPECT_EQ(run({"check", "--format", "sarif", good}), 0);
  EXPECT_NE(out_.str().find("\"executionSuccessful\":true"), std::string::npos) << out_.str();
}

TEST(OutlineOfBranches, KeepsAllOfBalancedOnesAndTheFirstOfOthers) {
  const auto names = [](const std::string& text) {
    std::string all;
    for (const OutlineFunction& function : outlineOf(text, lexC(text)).functions) all += function.name + " ";
    return all;
  };
  EXPECT_EQ(names("#if A\nint f(void) { return 0; }\n#else\nint g(void) { return 1; }\n#endif\nint h(void) { "
                  "return 2; }"),
            "f g h ");
  EXPECT_EQ(
      names(
          "#if A\nint f(int x) {\n#elif B\nint g(void) {\n#else\nint i(void) {\n#endif\n}\nint h(void) { }"),
      "f h ");
  EXPECT_EQ(names("void f(int x) {\n#if A\n#if B\nif (x) {\n#else\nwhile (x) {\n#endif\n#else\nif (!x) "
                  "{\n#endif\n}\n}\nint h(void) { }"),
            "f h ");
  EXPECT_EQ(names("#if A\nint f(void) {"), "f ");
}

}  // namespace
}  // namespace heddle
