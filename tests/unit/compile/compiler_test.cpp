#include "analysis/compile/compiler.h"

#include <thread>

#include "compile_helpers.h"
#include "figure2.h"

namespace heddle {
namespace {

TEST(Compiler, CompilesAFileThatIsNotOnDisk) {
  CompileResult result = compileText(kFigure2);
  ASSERT_TRUE(result.module) << describe(result);
  EXPECT_FALSE(llvm::verifyModule(*result.module, &llvm::errs()));
  EXPECT_TRUE(result.module->getFunction("first"));
  EXPECT_TRUE(result.messages.empty()) << describe(result);
  EXPECT_GT(result.seconds, 0);
}

TEST(Compiler, PrefersUnsavedTextsToTheDisk) {
  ScratchDirectory scratch;
  std::string header = scratch.write("inc/value.h", "#define VALUE 1\n");
  CompileCommand command = commandWith({"-Iinc"});
  command.directory = scratch.path();
  std::string text = "#include \"value.h\"\n#include \"local.h\"\nint heddle_value = VALUE + LOCAL;\n";
  std::map<std::string, std::string> overlays = {{header, "#define VALUE 40\n"},
                                                 {scratch.file("local.h"), "#define LOCAL 2\n"}};
  CompileResult result = Compiler().compile(scratch.file("main.c"), text, command, overlays);
  ASSERT_TRUE(result.module) << describe(result);
  auto* value =
      llvm::cast<llvm::ConstantInt>(result.module->getGlobalVariable("heddle_value")->getInitializer());
  EXPECT_EQ(value->getSExtValue(), 42);
}

TEST(Compiler, ReportsErrorsWithTheirPlaces) {
  CompileResult result = compileText("int f(void) {\n  return nowhere;\n}\nint g = h;\n");
  EXPECT_FALSE(result.module);
  ASSERT_EQ(result.messages.size(), 2u) << describe(result);
  EXPECT_EQ(result.messages[0].place.file, kNowhere);
  EXPECT_EQ(result.messages[0].place.line, 2u);
  EXPECT_EQ(result.messages[0].place.column, 10u);
  EXPECT_TRUE(result.messages[0].isError);
  EXPECT_EQ(result.messages[1].place.line, 4u);
}

/// What else is wrong may come from them.
TEST(Compiler, ReportsMissingHeadersAlone) {
  CompileResult result =
      compileText("int f(void) {\n  return nowhere;\n}\n#include \"missing.h\"\n#include \"b.h\"\n");
  EXPECT_FALSE(result.module);
  ASSERT_EQ(result.messages.size(), 2u) << describe(result);
  EXPECT_EQ(result.messages[0].place.line, 4u);
  EXPECT_EQ(result.messages[1].place.line, 5u);
}

TEST(Compiler, ReportsAnErrorInAHeaderThere) {
  CompileResult result =
      compileText("#include \"h.h\"\n", {}, {{"/no-such-directory/h.h", "int ok;\n  int 3;\n"}});
  EXPECT_FALSE(result.module);
  ASSERT_FALSE(result.messages.empty());
  EXPECT_EQ(result.messages[0].place.file, "/no-such-directory/h.h");
  EXPECT_EQ(result.messages[0].place.line, 2u);
}

TEST(Compiler, AcceptsWhatGccPreprocessesOfItsAtomics) {
  const std::string text = R"(
    typedef _Atomic int atomic_int;
    typedef _Atomic struct
    {
      unsigned char __val;
    } atomic_flag;
    atomic_flag f = { 0 };
    atomic_int n;
    int *_Atomic p;
    int g(int *q) {
      int zero = 0;
      __extension__ ({ __auto_type to = (&p); __typeof__ ((void)0, *to) v = (q); __atomic_store (to, &v, 5); });
      while (__atomic_test_and_set (&f, 5)) ;
      return __atomic_fetch_sub (&n, 1, 5) + __atomic_compare_exchange_n (&n, &zero, 1, 0, 5, 5);
    })";
  for (const char* path : {"/no-such-directory/main.i", "/no-such-directory/main.c"}) {
    const CompileResult result = compileText(text, {}, {}, path);
    EXPECT_TRUE(result.module) << describe(result);
  }
}

TEST(Compiler, AcceptsWhatOldProgramsDo) {
  CompileResult result = compileText(R"(
    main() {
      int *p = 5;
      char *q = p;
      assume(__VERIFIER_nondet_int() > (long)q);
      return;
    }
    int f(int a) { if (a) return; }
  )");
  ASSERT_TRUE(result.module) << describe(result);
  EXPECT_TRUE(result.module->getFunction("assume"));
  EXPECT_GE(result.messages.size(), 4u);
  for (const CompileMessage& message : result.messages) EXPECT_FALSE(message.isError) << message.text;
}

TEST(Compiler, WarningsAreNeverErrors) {
  CompileResult result = compileText("int f(void) { int unused; return 0; }\n", {"-Wall", "-Werror"});
  ASSERT_TRUE(result.module);
  ASSERT_EQ(result.messages.size(), 1u);
  EXPECT_FALSE(result.messages[0].isError);
}

TEST(Compiler, TreatsPreprocessedTextAsTheTextThatIsOpen) {
  CompileResult result = compileText("# 1 \"other.c\"\n# 7 \"/usr/include/x.h\" 3 4\nint x = ;\n", {}, {},
                                     "/no-such-directory/task.i");
  ASSERT_EQ(result.messages.size(), 1u) << describe(result);
  EXPECT_EQ(result.messages[0].place.file, "/no-such-directory/task.i");
  EXPECT_EQ(result.messages[0].place.line, 3u);
  // Preprocessed text is not preprocessed again.
  EXPECT_FALSE(compileText("#define X 1\nint x = X;\n", {}, {}, "/no-such-directory/task.i").module);
}

TEST(Compiler, ObeysTheOptionsThatChangeTheMeaning) {
  auto initializer = [](const std::vector<std::string>& arguments, const std::string& expression) -> long {
    CompileResult result = compileText("long v = " + expression + ";\n", arguments);
    if (!result.module) return -1;
    return llvm::cast<llvm::ConstantInt>(result.module->getGlobalVariable("v")->getInitializer())
        ->getSExtValue();
  };
  EXPECT_EQ(initializer({}, "__STDC_VERSION__"), 201710);
  EXPECT_EQ(initializer({"-std=c11"}, "__STDC_VERSION__"), 201112);
  EXPECT_EQ(initializer({"-D", "N=7"}, "N"), 7);
  EXPECT_EQ(initializer({"-DN=7", "-UN", "-DN=8"}, "N"), 8);
  EXPECT_EQ(initializer({}, "(char)-1 < 0"), 1);
  EXPECT_EQ(initializer({"-funsigned-char"}, "(char)-1 < 0"), 0);
  EXPECT_EQ(initializer({}, "sizeof(void *)"), 8);
  EXPECT_EQ(initializer({"-m32"}, "sizeof(void *)"), 4);
  EXPECT_EQ(initializer({"-target", "i386-linux-gnu"}, "sizeof(void *)"), 4);
  EXPECT_EQ(initializer({"-pthread"}, "_REENTRANT"), 1);
  EXPECT_EQ(initializer({"-mavx2"}, "__AVX2__"), 1);
  EXPECT_EQ(initializer({"-march=haswell"}, "__AVX2__"), 1);
  EXPECT_EQ(initializer({"-march=no-such-cpu"}, "5"), 5);
}

TEST(Compiler, EveryAllowedOptionIsUnderstoodByTheFrontEnd) {
  for (const char* option : {"-w",
                             "-ansi",
                             "-pedantic",
                             "-pthread",
                             "-trigraphs",
                             "-undef",
                             "-nostdinc",
                             "-fsigned-char",
                             "-fno-signed-char",
                             "-funsigned-char",
                             "-fno-unsigned-char",
                             "-fshort-enums",
                             "-fno-short-enums",
                             "-fshort-wchar",
                             "-fno-short-wchar",
                             "-fgnu89-inline",
                             "-fno-gnu89-inline",
                             "-ffreestanding",
                             "-fhosted",
                             "-fbuiltin",
                             "-fno-builtin",
                             "-fcommon",
                             "-fno-common",
                             "-fwrapv",
                             "-fno-wrapv",
                             "-fstrict-aliasing",
                             "-fno-strict-aliasing",
                             "-fms-extensions",
                             "-fno-ms-extensions",
                             "-fdollars-in-identifiers",
                             "-fno-dollars-in-identifiers",
                             "-fno-builtin-memcpy",
                             "-fpack-struct=2",
                             "-std=c89",
                             "-std=gnu2x",
                             "-std=iso9899:1999",
                             "-Wno-such-warning",
                             "-msse4.2",
                             "-mno-avx",
                             "-m32",
                             "-m64"}) {
    CompileResult result = compileText("int x;\n", {option});
    EXPECT_TRUE(result.module) << option << "\n" << describe(result);
    EXPECT_TRUE(result.messages.empty()) << option << "\n" << describe(result);
  }
}

TEST(Compiler, NamesFilesByAbsolutePathInDebugInformation) {
  std::map<std::string, std::string> overlays = {
      {"/no-such-directory/sub/h.h", "static int twice(int a) { return a + a; }\n"}};
  CompileResult result =
      compileText("#include \"h.h\"\nint f(int a) { return twice(a); }\n", {"-Isub"}, overlays);
  ASSERT_TRUE(result.module) << describe(result);
  auto fileOf = [&](const char* name) {
    return result.module->getFunction(name)->getSubprogram()->getFile()->getFilename().str();
  };
  EXPECT_EQ(fileOf("f"), kNowhere);
  EXPECT_EQ(fileOf("twice"), "/no-such-directory/sub/h.h");
}

TEST(Compiler, SixHeadersCompileAgainAndAgainInOneObject) {
  Compiler compiler;
  for (int i = 0; i < 5; ++i) {
    CompileResult result = compiler.compile(kNowhere, kFigure2 + std::string(i, '\n'), commandWith());
    ASSERT_TRUE(result.module) << i << describe(result);
  }
}

TEST(Compiler, SeveralThreadsCompileAtOnce) {
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < texts.size(); ++i)
    threads.emplace_back([&, i] {
      Compiler compiler;
      for (int round = 0; round < 4; ++round) {
        CompileResult result = compiler.compile(kNowhere, kFigure2, commandWith());
        if (result.module) texts[i] = printed(*result.module);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        // A crash in one thread must not disturb the others.
        if (i == 0) compiler.compile(kNowhere, crashingText(), commandWith());
#endif
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(texts[0].empty());
  for (const std::string& text : texts) EXPECT_EQ(text, texts[0]);
}

TEST(Compiler, AResultOutlivesItsCompilerAndCanBeReplaced) {
  CompileResult result = compileText("int x;\n");
  result = compileText("int y;\n");
  ASSERT_TRUE(result.module);
  EXPECT_TRUE(result.module->getGlobalVariable("y"));
}

TEST(Compiler, LibraryHeadersServe32BitTargets) {
  CompileResult result = compileText(
      "#include <pthread.h>\n#include <stdio.h>\n#include <limits.h>\n"
      "_Static_assert(sizeof(pthread_t) == 4 && sizeof(size_t) == 4 && LONG_MAX == 0x7fffffff, \"\");\n"
      "int main(void) { return 0; }",
      {"-m32"});
  EXPECT_TRUE(result.module) << describe(result);
}

}  // namespace
}  // namespace heddle
