// Opening a file of an untrusted workspace runs nothing and writes nothing, whatever its build files and its
// text say.
#include "compile_helpers.h"
#include "figure2.h"

namespace heddle {
namespace {

class Hostile : public testing::Test {
 protected:
  void SetUp() override {
    std::string script = scratch_.write("cc", "#!/bin/sh\ntouch " + marker() + "\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    scratch_.write("response", "-fplugin=x.so\n");
    scratch_.write("x.so", "not a library\n");
    scratch_.write("clang.cfg", "-DFROM_CONFIG\n");
    path_ = scratch_.write("main.c", kFigure2);
  }

  std::string marker() const { return scratch_.file("marker"); }

  /// Compiles three times, so that preambles are built too.
  void compileAndExpectNothingHappened(const std::string& text, bool compiles) {
    Strings before = scratch_.listing();
    CompileCommand command = findCompileCommand(path_);
    Compiler compiler;
    for (int i = 0; i < 3; ++i) {
      CompileResult result = compiler.compile(path_, text, command);
      EXPECT_EQ(result.module != nullptr, compiles) << describe(result);
    }
    EXPECT_FALSE(std::filesystem::exists(marker()));
    EXPECT_EQ(scratch_.listing(), before);
  }

  using Strings = std::vector<std::string>;
  ScratchDirectory scratch_;
  std::string path_;
};

const std::vector<std::string> kHostileOptions = {"-fplugin=./x.so",
                                                  "-Xclang",
                                                  "-load",
                                                  "-Xclang",
                                                  "./x.so",
                                                  "-Xclang",
                                                  "-add-plugin",
                                                  "-Xclang",
                                                  "evil",
                                                  "-fpass-plugin=./x.so",
                                                  "-mllvm",
                                                  "-load=./x.so",
                                                  "@response",
                                                  "-specs=./cc",
                                                  "-B",
                                                  ".",
                                                  "-wrapper",
                                                  "./cc,x",
                                                  "-o",
                                                  "main.o",
                                                  "-MD",
                                                  "-MF",
                                                  "main.d",
                                                  "-MJ",
                                                  "main.json",
                                                  "-save-temps",
                                                  "-fmodules",
                                                  "-fmodules-cache-path=cache",
                                                  "-ftime-trace=trace.json",
                                                  "-fdump-record-layouts",
                                                  "-fdump-tree-all",
                                                  "-serialize-diagnostics",
                                                  "main.dia",
                                                  "--serialize-diagnostics",
                                                  "main.dia",
                                                  "-frecord-command-line",
                                                  "-fprofile-generate=prof",
                                                  "-fprofile-instr-generate=prof",
                                                  "-fcoverage-mapping",
                                                  "--coverage",
                                                  "-ftest-coverage",
                                                  "-Wp,-MD,main.d",
                                                  "-Wl,-plugin,./x.so",
                                                  "--config=clang.cfg",
                                                  "-fcrash-diagnostics-dir=crash",
                                                  "-foptimization-record-file=main.opt",
                                                  "-fstack-usage",
                                                  "-index-store-path",
                                                  "index",
                                                  "-emit-llvm",
                                                  "-S",
                                                  "-ivfsoverlay",
                                                  "overlay.yaml",
                                                  "-gen-reproducer",
                                                  "-dumpdir",
                                                  "dump",
                                                  "-gsplit-dwarf",
                                                  "-aux-info",
                                                  "aux"};

TEST_F(Hostile, DatabaseRunsAndWritesNothing) {
  std::string arguments = "\"" + scratch_.file("cc") + "\"";
  for (const std::string& option : kHostileOptions) arguments += ", \"" + option + "\"";
  scratch_.write("compile_commands.json", "[{\"directory\": \"" + scratch_.path() +
                                              "\", \"file\": \"main.c\", \"arguments\": [" + arguments +
                                              ", \"-DKEPT\", \"main.c\"]}]");
  CompileCommand command = findCompileCommand(path_);
  EXPECT_EQ(command.arguments, (Strings{"-D", "KEPT"}));
  EXPECT_FALSE(command.dropped.empty());
  compileAndExpectNothingHappened(kFigure2, true);
}

TEST_F(Hostile, FlagsFileRunsAndWritesNothing) {
  std::string flags;
  for (const std::string& option : kHostileOptions) flags += option + "\n";
  scratch_.write("compile_flags.txt", flags);
  compileAndExpectNothingHappened(kFigure2, true);
}

TEST_F(Hostile, ACommandThatWasNotFilteredIsHarmlessToo) {
  Strings before = scratch_.listing();
  CompileCommand command;
  command.directory = scratch_.path();
  command.arguments = kHostileOptions;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Compiler().compile(path_, kFigure2, command).module);
  EXPECT_EQ(scratch_.listing(), before);
}

TEST_F(Hostile, TextRunsAndWritesNothing) {
  compileAndExpectNothingHappened(
      "#pragma comment(lib, \"x\")\n#pragma GCC pch_preprocess \"x\"\n#pragma GCC dependency \"cc\"\nint "
      "x;\n",
      true);
  compileAndExpectNothingHappened("__asm__(\".incbin \\\"x.so\\\"\");\nint x;\n", true);
}

TEST_F(Hostile, PragmasOfClangsDevelopersAreWithoutEffect) {
  std::string build =
      "#pragma clang module build evil\nmodule evil {}\n#pragma clang module contents\n"
      "#pragma clang module begin evil\n#pragma clang module end\n#pragma clang module endbuild\n";
  auto modulesInTemp = [] {
    int count = 0;
    std::error_code error;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::temp_directory_path(), error))
      count += entry.path().filename().string().starts_with("evil");
    return count;
  };
  int before = modulesInTemp();
  compileAndExpectNothingHappened(build + "int x;\n", false);
  compileAndExpectNothingHappened(
      "#pragma clang module load evil\n_Pragma(\"clang __debug dump x\") int x;\n", true);
  EXPECT_EQ(modulesInTemp(), before);
}

TEST_F(Hostile, DevicesAndPipesCannotBeIncluded) {
  ASSERT_EQ(mkfifo(scratch_.file("pipe.h").c_str(), 0600), 0);
  for (const char* name : {"pipe.h", "/dev/zero", "/dev/stdin", "/proc/self/fd/0"}) {
    Strings before = scratch_.listing();
    CompileResult result =
        Compiler().compile(path_, "#include \"" + std::string(name) + "\"\n", findCompileCommand(path_));
    EXPECT_FALSE(result.module) << name;
    ASSERT_FALSE(result.messages.empty()) << name;
    EXPECT_EQ(result.messages[0].place.line, 1u) << name;
    EXPECT_EQ(scratch_.listing(), before);
  }
}

TEST_F(Hostile, SelfInclusionEnds) {
  std::string text = "#include \"main.c\"\n#include \"main.c\"\nint x;\n";
  CompileResult result = Compiler().compile(path_, text, findCompileCommand(path_));
  EXPECT_FALSE(result.module);
  EXPECT_FALSE(result.messages.empty());
}

}  // namespace
}  // namespace heddle
