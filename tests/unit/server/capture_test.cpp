// `heddle capture`: which calls of compilers become entries, what happens to a file that is there, and that
// `check` then reads a file as its build does.
#include "server/driver/capture.h"

#include <gtest/gtest.h>

#include "project_fixture.h"
#include "server/capture/captured_file.h"
#include "server/capture/compiler_call.h"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

std::vector<std::string> sourcesIn(const std::string& call) {
  std::vector<std::string> sources;
  for (const CapturedEntry& entry : entriesOf(responseWords(call), "/p")) sources.push_back(entry.file);
  return sources;
}

TEST(CompilerCalls, OnlyWhatCompilesCFilesHasEntries) {
  EXPECT_EQ(sourcesIn("cc -c a.c"), Words{"a.c"});
  EXPECT_EQ(sourcesIn("/usr/bin/x86_64-linux-gnu-gcc-12 -c a.c"), Words{"a.c"});
  EXPECT_EQ(sourcesIn("clang-14 a.c b.c c.o -o p"), (Words{"a.c", "b.c"}));
  EXPECT_EQ(sourcesIn("ccache CCACHE_DIR=x distcc gcc -c a.c"), Words{"a.c"});
  EXPECT_EQ(sourcesIn("gcc -MD -MF a.d -c a.c"), Words{"a.c"}) << "a list of headers beside the output";
  EXPECT_EQ(sourcesIn("gcc -x c -c a.inc -x none b.o"), Words{"a.inc"});
  EXPECT_EQ(sourcesIn("gcc -include b.c -o c.c a.c"), Words{"a.c"}) << "values of options are no sources";
  for (const char* none : {"gcc a.o -o p", "gcc -E a.c", "gcc -MM a.c", "gcc --version", "gcc -c a.s",
                           "g++ -c a.c", "c++ -c a.cc", "cc1 a.c", "as a.c", "collect2 a.c", "gcc-ar rc a.c",
                           "mycc -c a.c", "echo cc -c a.c", "ccache -s", "clang -cc1 a.c",
                           "gcc -c conftest.c", "gcc -c b/CMakeFiles/T/a.c", "gcc -x c -", "gcc -x c++ a.c"})
    EXPECT_EQ(sourcesIn(none), Words{}) << none;
  EXPECT_EQ(entriesOf({"cc", "-c", "a.c"}, "/b/CMakeFiles/T"), std::vector<CapturedEntry>{});
  EXPECT_EQ(entriesOf({}, "/p"), std::vector<CapturedEntry>{});
}

TEST(CompilerCalls, EntriesHaveTheOptionsAndNoOtherFiles) {
  const auto entries = entriesOf({"ccache", "gcc", "-DX=a b", "-I", "inc", "-MMD", "-MT", "q.o", "-MFq.d",
                                  "a.c", "b.c", "c.o", "-oq", "-lm"},
                                 "/p");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].arguments, (Words{"gcc", "-DX=a b", "-I", "inc", "-lm", "a.c"}));
  EXPECT_EQ(entries[1].arguments, (Words{"gcc", "-DX=a b", "-I", "inc", "-lm", "b.c"}));
  EXPECT_EQ(entries[0].output, "q");
  EXPECT_EQ(entries[0].directory, "/p");
}

TEST(CompilerCalls, ResponseFilesAreSplitAsCompilersDo) {
  EXPECT_EQ(responseWords(" -DA='x y'\t\"b\\\"c\" d\\ e ''\n"), (Words{"-DA=x y", "b\"c", "d e", ""}));
  EXPECT_EQ(responseWords(" \n"), Words{});
}

TEST(CapturedFiles, OursAreKnownByTheirForm) {
  const std::vector<CapturedEntry> entries = {{"/p", "a.c", "a.o", {"cc", "-DX=\"1\"", "a.c"}},
                                              {"/p/q", "b.c", "", {"cc", "b.c"}}};
  const std::string text = capturedText(entries);
  EXPECT_EQ(capturedEntries(text), entries);
  EXPECT_EQ(capturedEntries(capturedText({})), std::vector<CapturedEntry>{});
  EXPECT_FALSE(capturedEntries(Json::parse(text).dump(2))) << "the same, as another tool writes it";
  for (const char* other :
       {"", "[]", "{}", "[1]", R"([{"directory": "/p", "file": "a.c", "command": "cc"}])"})
    EXPECT_FALSE(capturedEntries(other)) << other;
}

class Capture : public ProjectCommands {
 protected:
  /// Runs the build in the project's folder; the exit code.
  int capture(Words build) {
    Words arguments = {"capture", "-o", folder_.string(), "--", "env", "-C", folder_.string()};
    arguments.insert(arguments.end(), build.begin(), build.end());
    return run<CaptureCommand>(arguments, [&](const CaptureCommand& command) {
      return runCapture(command, {out_, err_});
    });
  }
  int shell(const std::string& script) { return capture({"sh", "-c", script}); }

  /// "file: arguments" of all entries.
  Words entries() const {
    Words lines;
    std::ifstream file(path("compile_commands.json"));
    for (const Json& entry : Json::parse(file)) {
      std::string line = entry["file"].get<std::string>() + ":";
      for (const Json& word : entry["arguments"]) line += " " + word.get<std::string>();
      lines.push_back(line);
    }
    return lines;
  }
  std::string said() const { return err_.str(); }
};

TEST_F(Capture, SeesWhatMakeRunsAndCheckUsesIt) {
  fs::create_directories(folder_ / "sub");
  write("a.c", "#include \"deep.h\"\nint main(void) { return SIZE + DEEP; }\n");
  fs::create_directories(folder_ / "include/deep");
  write("include/deep/deep.h", "#define DEEP 1\n#ifndef SIZE\n#error unset\n#endif\n");
  write("sub/x.c", "int x;\n");
  write("sub/y.c", "int y;\n");
  write("Makefile", "all: a.o\n\t$(MAKE) -C sub\na.o: a.c\n\tgcc -DSIZE=2 -Iinclude/deep -c a.c -o a.o\n");
  write("sub/Makefile",
        "all: x.o y.o\nx.o: x.c\n\t/usr/bin/cc -DX -c x.c\n"
        "y.o: y.c\n\techo '-DY=\"a b\" -c y.c' > y.rsp; gcc @y.rsp; rm y.rsp\n");
  ASSERT_EQ(capture({"make", "-s", "-j2", "--no-print-directory"}), 0) << said();
  EXPECT_EQ(entries(), (Words{"a.c: gcc -DSIZE=2 -Iinclude/deep -c a.c", "x.c: /usr/bin/cc -DX -c x.c",
                              "y.c: gcc -DY=a b -c y.c"}));
  EXPECT_NE(said().find("3 C files captured; next: heddle scan . -p " + folder_.string()), std::string::npos)
      << said();

  EXPECT_EQ(check({"check", path("a.c"), "--format", "json"}), kExitNoBug) << out_.str();
  EXPECT_EQ(Json::parse(out_.str())["command_source"],
            "compile_commands.json (" + path("compile_commands.json") + ")");

  // Nothing to do: the file stays, and it is said why.
  ASSERT_EQ(capture({"make", "-s", "--no-print-directory"}), 0);
  EXPECT_EQ(entries().size(), 3u);
  EXPECT_NE(
      said().find("nothing captured: no C compiler was started; if all is up to date, clean first (make "
                  "clean) or build all again (make -B); "),
      std::string::npos)
      << said();

  // One file again, with other options: the others are kept.
  fs::remove(folder_ / "sub/x.o");
  write("sub/Makefile", "all: x.o y.o\nx.o: x.c\n\tcc -DNEW -c x.c\ny.o: y.c\n");
  ASSERT_EQ(capture({"make", "-s", "--no-print-directory"}), 0);
  EXPECT_NE(said().find("1 C file captured, 3 with those of earlier builds"), std::string::npos) << said();
  EXPECT_EQ(entries()[1], "x.c: cc -DNEW -c x.c");
  EXPECT_EQ(entries().size(), 3u);
}

TEST_F(Capture, WhatACompilerStartsIsPartOfItsCall) {
  fs::create_symlink("/usr/bin/env", folder_ / "ccache");
  fs::create_symlink("/bin/sh", folder_ / "gcc");
  write("a.c", "int a;\n");
  ASSERT_EQ(shell("./ccache cc -DONCE -c a.c; ./gcc -c 'cc -DINNER -c a.c; true'"), 0) << said();
  EXPECT_EQ(entries(), Words{"a.c: cc -DONCE -c a.c"});
}

TEST_F(Capture, OneSourceWithTwoCommandsHasTwoEntriesAndATrialHasNone) {
  write("a.c", "int a;\n");
  write("gone.c", "int gone;\n");
  ASSERT_EQ(shell("cc -c a.c; cc -c a.c; cc -fPIC -DPIC -c a.c -o p.o; cc -c gone.c; rm gone.c"), 0)
      << said();
  EXPECT_EQ(entries(), (Words{"a.c: cc -c a.c", "a.c: cc -fPIC -DPIC -c a.c"}));
}

TEST_F(Capture, AFailingBuildKeepsItsCodeAndWhatWasSeen) {
  write("a.c", "int a;\n");
  EXPECT_EQ(shell("cc -c a.c; exit 7"), 7);
  EXPECT_EQ(entries().size(), 1u);
  EXPECT_NE(said().find("the build failed (exit code 7)"), std::string::npos) << said();
  EXPECT_EQ(shell("kill -TERM $$"), 128 + 15);
  EXPECT_EQ(capture({"./nothing-here"}), 127) << "env says it";
}

TEST_F(Capture, ACommandThatIsNotThereIsSaid) {
  const auto chosen = parseCommandLine({"capture", "-o", folder_.string(), "--", "./nothing-here"});
  std::ostringstream out, err;
  EXPECT_EQ(runCapture(std::get<CaptureCommand>(chosen), {out, err}), kExitUsage);
  EXPECT_EQ(err.str(), "heddle: error: './nothing-here' cannot be run: No such file or directory\n");
}

TEST_F(Capture, AnothersFileStaysAndNothingIsRun) {
  const std::string text = R"([{"directory":"/","file":"a.c","command":"cc a.c"}])";
  write("compile_commands.json", text);
  EXPECT_EQ(shell("touch ran"), kExitUsage);
  EXPECT_EQ(said(),
            "heddle: error: " + path("compile_commands.json") +
                ": is there, and `heddle capture` has not written it; remove it, or name another folder "
                "with -o DIR\n");
  EXPECT_FALSE(fs::exists(path("ran")));
  std::ifstream file(path("compile_commands.json"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), text);
}

}  // namespace
}  // namespace heddle
