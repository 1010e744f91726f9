// What texts written for an older C library need.
#include <gtest/gtest.h>

#include "analysis/compile/compile_command.h"
#include "analysis/compile/inferred_flags.h"
#include "analysis/compile/made_header.h"
#include "analysis/compile/older_system.h"
#include "compile_helpers.h"

namespace heddle {
namespace {

using Strings = std::vector<std::string>;

TEST(OlderSystem, OnlyStaticFunctionsBehindTheTestOfTheirNameAreATextsOwn) {
  EXPECT_EQ(ownUnlessMacro("#ifndef gettid\nstatic int\ngettid(void) { return 1; }\n#endif\n"),
            std::set<std::string>{"gettid"});
  EXPECT_TRUE(ownUnlessMacro("#ifndef gettid\nint gettid(void);\n#endif\n").empty());
  EXPECT_TRUE(ownUnlessMacro("#ifndef gettid\nstatic int my_gettid(void) { return 1; }\n#endif\n").empty());
  EXPECT_TRUE(ownUnlessMacro("#ifndef gettid\nstatic int f(int gettid) { return 1; }\n#endif\n").empty());
  EXPECT_TRUE(ownUnlessMacro("#ifndef gettid\n#endif\nstatic int gettid(void) { return 1; }\n").empty());
}

TEST(OlderSystem, FunctionsThatTheLibraryHasByNowAreNotDefinedTwice) {
  ScratchDirectory scratch;
  scratch.write("Makefile", "");
  const std::string own =
      "#ifndef gettid\nstatic int\ngettid(void) { return 1; }\n#endif\n"
      "#ifndef getmine\nstatic int getmine(void) { return 1; }\n#endif\n"
      "#ifndef getpid\nstatic int other(int getpid) { return 1; }\n#endif\n";
  InferredFlags inferred;
  EXPECT_EQ(inferred.of(scratch.write("a.c", "#define _GNU_SOURCE\n" + own)).flags,
            (Strings{"-Dgettid=gettid"}));
  // Without that macro nothing declares it.
  EXPECT_TRUE(inferred.of(scratch.write("b.c", own)).flags.empty());
}

TEST(OlderSystem, HeadersThatTheLibraryHasNoMoreAreEmpty) {
  ScratchDirectory scratch;
  scratch.write("Makefile", "");
  InferredFlags inferred;
  const CompileCommand command =
      findCompileCommand(scratch.write("a.c", "#include <sys/sysctl.h>\n"), nullptr, &inferred);
  ASSERT_EQ(command.made.size(), 1U);
  EXPECT_TRUE(command.made.begin()->first.ends_with("/sys/sysctl.h"));
  EXPECT_NE(command.source.find("sys/sysctl.h empty"), std::string::npos) << command.source;
}

TEST(OlderSystem, AHeaderThatTheLibraryOnlyRefusesIsTheProjects) {
  ScratchDirectory scratch;
  scratch.write("Makefile", "");
  scratch.write("util/regexp.h", "int compile_it(void);\n");
  InferredFlags inferred;
  EXPECT_EQ(inferred.of(scratch.write("src/a.c", "#include \"regexp.h\"\n")).flags,
            (Strings{"-iquote", scratch.file("util")}));
}

}  // namespace
}  // namespace heddle
