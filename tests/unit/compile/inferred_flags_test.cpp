// What a file of a project is compiled with when no build says so.
#include <gtest/gtest.h>

#include "analysis/compile/compile_command.h"
#include "analysis/compile/inferred_flags.h"
#include "compile_helpers.h"

namespace heddle {
namespace {

using Strings = std::vector<std::string>;

TEST(InferredFlags, FindHeadersOfTheProjectThatNothingElseHas) {
  ScratchDirectory scratch;
  scratch.write("Makefile", "");
  scratch.write("include/pool/pool.h", "#include \"base.h\"\n#include <stdio.h>\n");
  scratch.write("compat/base.h", "");
  scratch.write("compat/stdio.h", "#error not this one\n");
  scratch.write("far/away/base.h", "");
  InferredFlags inferred;
  const std::string file = scratch.write("src/a.c", "#include <pool/pool.h>\n# include \"own.h\"\n");
  scratch.write("src/own.h", "");
  EXPECT_EQ(inferred.of(file),
            (Strings{"-idirafter", scratch.file("include"), "-idirafter", scratch.file("compat")}));
  const CompileCommand command = findCompileCommand(file, nullptr, &inferred);
  EXPECT_EQ(command.source, "inferred (-idirafter " + scratch.file("include") + " -idirafter " +
                                scratch.file("compat") + ")");
  EXPECT_EQ(command.arguments.back(), scratch.file("compat"));
}

TEST(InferredFlags, DoNotGuessWhatABuildMakesOrAnotherPlatformHas) {
  ScratchDirectory scratch;
  scratch.write("Makefile", "");
  scratch.write("config.h.in", "");
  scratch.write("windows/config.h", "");
  scratch.write("windows/settings.h", "");
  scratch.write("settings.h.in", "");
  InferredFlags inferred;
  EXPECT_EQ(inferred.of(scratch.write("src/a.c", "#include <config.h>\n#include \"settings.h\"\n")),
            Strings{});
}

TEST(InferredFlags, TurnTheThreadsOfAProjectOnWhereItsBuildDoes) {
  ScratchDirectory scratch;
  scratch.write("Makefile", "mt: CPPFLAGS += -DPOOL_MULTITHREAD -DNOTHREAD -DOTHER_THREADS=1\n");
  InferredFlags inferred;
  EXPECT_EQ(inferred.of(scratch.write("lib/pool.c",
                                      "#ifdef POOL_MULTITHREAD\n#endif\n"
                                      "#if !defined(NOTHREAD) || THREADS_OF_ANOTHER\n#endif\n")),
            Strings{"-DPOOL_MULTITHREAD"});
  EXPECT_EQ(inferred.of(scratch.write("lib/other.c", "int x;\n")), Strings{});
}

}  // namespace
}  // namespace heddle
