// A preamble makes compiles faster and changes nothing else: every result equals that of a fresh Compiler.
#include "compile_helpers.h"
#include "figure2.h"

namespace heddle {
namespace {

constexpr int kWarmUps = 3;  // the second compile builds the preamble, the third uses it again

void expectSameAsFresh(Compiler& compiler, const std::string& path, const std::string& text,
                       const CompileCommand& command,
                       const std::map<std::string, std::string>& overlays = {}) {
  CompileResult warm = compiler.compile(path, text, command, overlays);
  CompileResult fresh = Compiler().compile(path, text, command, overlays);
  EXPECT_EQ(describe(warm), describe(fresh));
  ASSERT_EQ(warm.module != nullptr, fresh.module != nullptr);
  if (warm.module) {
    EXPECT_EQ(printed(*warm.module), printed(*fresh.module));
  }
}

TEST(Preamble, GivesTheSameModule) {
  Compiler compiler;
  for (int i = 0; i < kWarmUps; ++i) {
    expectSameAsFresh(compiler, kNowhere, kFigure2 + std::string("int after") + std::to_string(i) + ";\n",
                      commandWith({"-Wall"}));
    expectSameAsFresh(compiler, kNowhere, kFigure2 + std::string("int broken = ;\n"), commandWith());
  }
}

TEST(Preamble, GivesTheSameModuleWhenHeadersDefineThings) {
  const std::string header = R"(
    #include <pthread.h>
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int shared = 3, tentative;
    static int hidden[4] = {1, 2};
    struct Node { struct Node *next; int value; };
    static inline int twice(int a) { static int calls; calls++; return a + a; }
    int defined(struct Node *n) { pthread_mutex_lock(&lock); shared++; pthread_mutex_unlock(&lock); return n->value; }
    static int unusedVariable; static int unused(void) { return unusedVariable; }
    extern int elsewhere;
  )";
  std::map<std::string, std::string> overlays = {{"/no-such-directory/h.h", header}};
  const std::string text = R"(#include "h.h"
    #define LOCAL 2
    int tentative;
    int main(void) { struct Node n = {0, LOCAL}; return defined(&n) + twice(hidden[1]) + elsewhere + tentative; }
  )";
  Compiler compiler;
  for (int i = 0; i < kWarmUps; ++i)
    expectSameAsFresh(compiler, kNowhere, text, commandWith({"-Wall"}), overlays);
}

TEST(Preamble, KeepsTheWarningsOfHeaders) {
  std::map<std::string, std::string> overlays = {
      {"/no-such-directory/h.h", "static inline int f(void) { int a = (1, 2); return undeclared(a); }\n"}};
  Compiler compiler;
  for (int i = 0; i < kWarmUps; ++i) {
    expectSameAsFresh(compiler, kNowhere, "#include \"h.h\"\nint x;\n", commandWith({"-Wall"}), overlays);
    CompileResult result =
        compiler.compile(kNowhere, "#include \"h.h\"\nint x;\n", commandWith({"-Wall"}), overlays);
    EXPECT_FALSE(result.messages.empty());
  }
}

class PreambleChange : public testing::Test {
 protected:
  long valueNow(const std::map<std::string, std::string>& overlays = {},
                const std::vector<std::string>& arguments = {}) {
    CompileCommand command = commandWith(arguments);
    command.directory = scratch_.path();
    CompileResult result =
        compiler_.compile(scratch_.file("main.c"), "#include \"h.h\"\nint v = VALUE;\n", command, overlays);
    if (!result.module) return -1;
    return llvm::cast<llvm::ConstantInt>(result.module->getGlobalVariable("v")->getInitializer())
        ->getSExtValue();
  }
  void warmUp() {
    scratch_.write("h.h", "#define VALUE 1\n");
    for (int i = 0; i < kWarmUps; ++i) ASSERT_EQ(valueNow(), 1);
  }

  ScratchDirectory scratch_;
  Compiler compiler_;
};

TEST_F(PreambleChange, OfAHeaderOnDisk) {
  warmUp();
  scratch_.write("h.h", "#define VALUE 22\n");
  EXPECT_EQ(valueNow(), 22);
  // Of the same size: told by the modification time.
  scratch_.write("h.h", "#define VALUE 33\n");
  std::filesystem::last_write_time(scratch_.file("h.h"),
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_EQ(valueNow(), 33);
  std::filesystem::remove(scratch_.file("h.h"));
  EXPECT_EQ(valueNow(), -1);
}

TEST_F(PreambleChange, OfAnUnsavedHeader) {
  warmUp();
  for (long value : {5, 6, 7, 7, 8})
    EXPECT_EQ(valueNow({{scratch_.file("h.h"), "#define VALUE " + std::to_string(value) + "\n"}}), value);
  EXPECT_EQ(valueNow(), 1);
}

TEST_F(PreambleChange, OfANewOverlayThatIsFoundFirst) {
  scratch_.write("sub/h.h", "#define VALUE 1\n");
  for (int i = 0; i < kWarmUps; ++i) ASSERT_EQ(valueNow({}, {"-Isub"}), 1);
  EXPECT_EQ(valueNow({{scratch_.file("h.h"), "#define VALUE 9\n"}}, {"-Isub"}), 9);
}

TEST_F(PreambleChange, OfTheOptions) {
  scratch_.write("h.h", "#define VALUE N\n");
  for (long value : {1, 1, 1, 2, 2, 1}) EXPECT_EQ(valueNow({}, {"-DN=" + std::to_string(value)}), value);
}

TEST(Preamble, OfManyFilesAreKeptApart) {
  Compiler compiler;
  for (int round = 0; round < kWarmUps; ++round)
    for (int i = 0; i < 12; ++i) {
      std::string path = "/no-such-directory/" + std::to_string(i) + ".c";
      std::string name = "value" + std::to_string(i);
      CompileResult result =
          compiler.compile(path, "#include <stddef.h>\nsize_t " + name + ";\n", commandWith());
      ASSERT_TRUE(result.module);
      EXPECT_TRUE(result.module->getGlobalVariable(name));
    }
}

}  // namespace
}  // namespace heddle
