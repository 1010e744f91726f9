#include "analysis/compile/compile_command.h"

#include "analysis/compile/option_filter.h"
#include "compile_helpers.h"

namespace heddle {
namespace {

using Strings = std::vector<std::string>;

std::string entry(const std::string& directory, const std::string& file, const std::string& rest) {
  return "{\"directory\": \"" + directory + "\", \"file\": \"" + file + "\", " + rest + "}";
}

TEST(CompileCommand, FromTheDatabaseOfAParent) {
  ScratchDirectory scratch;
  std::string database = scratch.write(
      "compile_commands.json", "[" + entry("src", "other.c", "\"arguments\": [\"cc\", \"-DWRONG\"]") + ",\n" +
                                   entry("src", "a.c",
                                         "\"arguments\": [\"cc\", \"-DA=1\", \"-I\", \"inc\", \"-O2\", "
                                         "\"-c\", \"-o\", \"a.o\", \"a.c\"]") +
                                   "]");
  std::string problem = "unset";
  CompileCommand command = findCompileCommand(scratch.write("src/a.c", ""), &problem);
  EXPECT_EQ(command.directory, scratch.file("src"));
  EXPECT_EQ(command.arguments, (Strings{"-D", "A=1", "-I", "inc"}));
  EXPECT_EQ(command.dropped, (Strings{"-O2", "-c", "-o a.o"}));
  EXPECT_EQ(command.source, "compile_commands.json (" + database + ")");
  EXPECT_EQ(problem, "");
}

TEST(CompileCommand, EntriesThatReadTheFileInAnotherWayAreKept) {
  ScratchDirectory scratch;
  const auto with = [](const std::string& flags) {
    return entry(".", "a.c", "\"command\": \"cc " + flags + " -c a.c\"");
  };
  const std::string database =
      scratch.write("compile_commands.json", "[" + with("-DA") + ",\n" + with("-DA -O2 -o b.o") + ",\n" +
                                                 with("-DA -fPIC -DPIC") + ",\n" + with("-DB") + "]");
  const CompileCommand command = findCompileCommand(scratch.write("a.c", ""));
  EXPECT_EQ(command.arguments, (Strings{"-D", "A"}));
  EXPECT_EQ(command.source, "compile_commands.json (" + database + "), entry 1 of 2");
  ASSERT_EQ(command.others.size(), 1u);
  EXPECT_EQ(command.others[0].arguments, (Strings{"-D", "B"}));
  EXPECT_EQ(command.others[0].source, "compile_commands.json (" + database + "), entry 2 of 2");
}

TEST(CompileCommand, FromTheBuildFolderOfAParentWithAShellString) {
  ScratchDirectory scratch;
  scratch.write(
      "build/compile_commands.json",
      "[" +
          entry(scratch.file("build"), "../src/a.c",
                R"("command": "cc '-DS=\"two words\"' -DT=a\\ b \"-DU=$(touch x)\" -c ../src/a.c")") +
          "]");
  CompileCommand command = findCompileCommand(scratch.write("src/a.c", ""));
  EXPECT_EQ(command.arguments, (Strings{"-D", "S=\"two words\"", "-D", "T=a b", "-D", "U=$(touch x)"}));
  EXPECT_EQ(command.directory, scratch.file("build"));
}

TEST(CompileCommand, SeesThroughSymbolicLinks) {
  ScratchDirectory scratch;
  scratch.write("real/a.c", "");
  std::filesystem::create_directory_symlink(scratch.file("real"), scratch.file("link"));
  scratch.write("compile_commands.json",
                "[" + entry(scratch.file("link"), "a.c", "\"command\": \"cc -DLINKED a.c\"") + "]");
  EXPECT_EQ(findCompileCommand(scratch.file("real/a.c")).arguments, (Strings{"-D", "LINKED"}));
}

TEST(CompileCommand, UnknownFilesDoNotBorrowTheirNeighbours) {
  ScratchDirectory scratch;
  scratch.write("compile_commands.json", "[" + entry(".", "a.c", "\"command\": \"cc -DA a.c\"") + "]");
  CompileCommand command = findCompileCommand(scratch.write("b.c", ""));
  EXPECT_EQ(command.source, "inferred");
  EXPECT_EQ(command.arguments,
            (Strings{"-std=gnu17", "-iquote", scratch.path(), "-idirafter", scratch.path()}));
  std::string flags = scratch.write("compile_flags.txt", "-DB\n\n  -I\ninc  \r\n-fplugin=x.so\n");
  command = findCompileCommand(scratch.file("b.c"));
  EXPECT_EQ(command.source, "compile_flags.txt (" + flags + ")");
  EXPECT_EQ(command.arguments, (Strings{"-D", "B", "-I", "inc"}));
  EXPECT_EQ(command.dropped, (Strings{"-fplugin=x.so"}));
  EXPECT_EQ(command.directory, scratch.path());
}

TEST(CompileCommand, FromTheCommandLine) {
  CompileCommand command =
      commandFromFlags("/nowhere/a.c", {"-DX", "-Xclang", "-load", "-Xclang", "x.so", "-Iy"});
  EXPECT_EQ(command.source, "command line");
  EXPECT_EQ(command.arguments, (Strings{"-D", "X", "-I", "y"}));
  EXPECT_EQ(command.dropped, (Strings{"-Xclang -load", "-Xclang x.so"}));
  EXPECT_EQ(command.directory, std::filesystem::current_path().string());
}

TEST(CompileCommand, FoldersFromTheCommandLineAreAddedToWhatIsFound) {
  const Strings folders = {"-Iy", "-isystem", "/z", "-fplugin=x.so"};
  const CompileCommand typed = commandFromFlags("/nowhere/a.c", folders);
  EXPECT_TRUE(namesOnlyFolders(typed));
  const std::string here = std::filesystem::current_path().string();
  const CompileCommand command = withFolders({"/p", {"-D", "A"}, "inferred", {}}, typed);
  EXPECT_EQ(command.arguments, (Strings{"-I", here + "/y", "-isystem", "/z", "-D", "A"}));
  EXPECT_EQ(command.directory, "/p");
  EXPECT_EQ(command.source, "inferred, with -I " + here + "/y -isystem /z from the command line");
  EXPECT_EQ(command.dropped, (Strings{"-fplugin=x.so"}));
  for (const Strings& more : {Strings{"-Iy", "-DA"}, {"-std=c99", "-Iy"}, {}, {"-D", "-I"}})
    EXPECT_FALSE(namesOnlyFolders(commandFromFlags("/nowhere/a.c", more)));
}

TEST(CompileCommand, DamagedDatabasesAreSkippedAndNamed) {
  const std::string good = entry(".", "a.c", "\"command\": \"cc -DA a.c\"");
  const Strings damaged = {"",
                           "[",
                           "{}",
                           "[" + good,
                           "[" + good + "}",
                           "]" + good,
                           "\"a.c\"",
                           "[{\"file\": \"a.c\"}]",
                           "[{\"file\": 1, \"x\": \"a.c\"}]",
                           "[{\"file\": \"a.c\", \"arguments\": [1, 2]}]",
                           "[{\"file\": \"a.c\", \"command\": {}}]",
                           "[{a.c}]",
                           "[" + good + "] garbage",
                           "[{\"file\": \"a.c",
                           std::string("[\0\"a.c\"", 7),
                           repeat("[", 3000000),
                           repeat("[{\"a.c\":", 500000),
                           "[{\"a.c\":" + repeat("[", 1000000) + repeat("]", 1000000) + "}]"};
  for (const std::string& text : damaged) {
    ScratchDirectory scratch;
    std::string database = scratch.write("compile_commands.json", text);
    std::string problem;
    CompileCommand command = findCompileCommand(scratch.write("a.c", ""), &problem);
    EXPECT_EQ(command.source, "inferred") << text.substr(0, 60);
    EXPECT_EQ(problem, database + ": damaged; not used") << text.substr(0, 60);
    EXPECT_EQ(problem.find('\n'), std::string::npos);
  }
}

TEST(CompileCommand, MutatedDatabasesNeverCrash) {
  ScratchDirectory scratch;
  std::string path = scratch.write("a.c", "");
  std::string text =
      "[" + entry(".", "b.c", "\"command\": \"cc 'x\"") + "," +
      entry(".", "a.c", "\"arguments\": [\"cc\", \"-D\", \"A\\u00e9\", \"-I\", \"b\", \"a.c\"]") + "]";
  unsigned state = 7;
  for (int i = 0; i < 500; ++i) {
    std::string broken = text;
    for (int change = 0; change <= i % 4; ++change) {
      state = state * 1664525u + 1013904223u;
      broken[(state >> 8) % broken.size()] = static_cast<char>(state >> 24);
    }
    scratch.write("compile_commands.json", broken);
    EXPECT_FALSE(findCompileCommand(path).source.empty());
  }
}

TEST(CompileCommand, AHugeDatabaseIsRead) {
  ScratchDirectory scratch;
  std::string text = "[";
  for (int i = 0; i < 50000; ++i)
    text += entry(".", "f" + std::to_string(i) + ".c", "\"command\": \"cc -c x\"") + ",\n";
  scratch.write("compile_commands.json", text + entry(".", "a.c", "\"command\": \"cc -DLAST a.c\"") + "]");
  EXPECT_EQ(findCompileCommand(scratch.write("a.c", "")).arguments, (Strings{"-D", "LAST"}));
}

TEST(CompileCommand, DatabasesThatAreNoFilesDoNotBlock) {
  ScratchDirectory scratch;
  ASSERT_EQ(mkfifo(scratch.file("compile_commands.json").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo(scratch.file("compile_flags.txt").c_str(), 0600), 0);
  std::string problem;
  EXPECT_EQ(findCompileCommand(scratch.write("a.c", ""), &problem).source, "inferred");
  EXPECT_NE(problem.find("not a readable file"), std::string::npos);
}

TEST(OptionFilter, KeepsOneSpellingOfEachOption) {
  EXPECT_EQ(
      filterOptions({"-Ia", "-I", "b", "-isystemc", "-isystem", "d", "-iquote", "e", "-include", "f.h"}).kept,
      (Strings{"-I", "a", "-I", "b", "-isystem", "c", "-isystem", "d", "-iquote", "e", "-include", "f.h"}));
  EXPECT_EQ(filterOptions({"--sysroot=/s", "--sysroot", "/t", "--target=i386", "-target", "arm"}).kept,
            (Strings{"-isysroot", "/s", "-isysroot", "/t", "-target", "i386", "-target", "arm"}));
  EXPECT_EQ(filterOptions({"-xc", "-x", "c++", "-std=c11", "-std=c++17"}).kept,
            (Strings{"-x", "c", "-std=c11"}));
  EXPECT_EQ(filterOptions({"-I"}).dropped, (Strings{"-I"}));
  EXPECT_EQ(filterOptions({"a.c", "", "-", "--", "-DX"}).kept, Strings{});
}

TEST(OptionFilter, DropsAllThatIsNotKnownToBeHarmless) {
  const Strings hostile = {"-fplugin=x.so",
                           "-fplugin-arg-x-y",
                           "-fpass-plugin=x.so",
                           "-Xclang",
                           "-load",
                           "-load",
                           "x.so",
                           "-specs=x",
                           "--specs=x",
                           "-B",
                           "/x",
                           "-B/x",
                           "-wrapper",
                           "x,y",
                           "@response",
                           "-o",
                           "out",
                           "-oout",
                           "-MD",
                           "-MMD",
                           "-MF",
                           "dep",
                           "-MFdep",
                           "-MJ",
                           "json",
                           "-save-temps",
                           "-save-temps=obj",
                           "--save-temps",
                           "-fmodules",
                           "-fmodules-cache-path=/x",
                           "-fmodule-map-file=/x",
                           "-ftime-trace",
                           "-ftime-trace=/x",
                           "-fdump-tree-all",
                           "-serialize-diagnostics",
                           "d.dia",
                           "--serialize-diagnostics",
                           "d.dia",
                           "-frecord-command-line",
                           "-fprofile-generate=/x",
                           "-fprofile-instr-generate=/x",
                           "-fprofile-use=/x",
                           "-fsanitize-blacklist=/x",
                           "-mllvm",
                           "-print-after-all",
                           "-Wl,-plugin,x",
                           "-Wp,-MD,dep",
                           "-Wa,-x",
                           "--config",
                           "x.cfg",
                           "--config=x.cfg",
                           "-ivfsoverlay",
                           "x.yaml",
                           "-resource-dir",
                           "/x",
                           "-include-pch",
                           "x.pch",
                           "-gcc-toolchain",
                           "/x",
                           "-aux-info",
                           "f",
                           "-dumpbase",
                           "d",
                           "-working-directory",
                           "/x",
                           "-index-store-path",
                           "/x",
                           "-S",
                           "-E",
                           "-emit-llvm",
                           "-ccc-print-phases",
                           "-cc1",
                           "-fuse-ld=/x",
                           "-dependency-file",
                           "f",
                           "-stack-usage-file=x",
                           "-fstack-usage",
                           "-fcrash-diagnostics-dir=/x",
                           "-march=native",
                           "-fembed-bitcode",
                           "-opt-record-file",
                           "-foptimization-record-file=x",
                           "-H",
                           "--analyze",
                           "-fsyntax-only",
                           "-x",
                           "ir"};
  FilteredOptions filtered = filterOptions(hostile);
  EXPECT_EQ(filtered.kept, Strings{});
  size_t words = 0;
  for (const std::string& option : filtered.dropped)
    words += 1 + std::count(option.begin(), option.end(), ' ');
  EXPECT_EQ(words, hostile.size());
}

}  // namespace
}  // namespace heddle
