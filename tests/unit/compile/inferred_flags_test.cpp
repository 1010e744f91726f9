// What a file of a project is compiled with when no build says so.
#include <gtest/gtest.h>

#include "analysis/compile/compile_command.h"
#include "analysis/compile/inferred_flags.h"
#include "analysis/compile/made_header.h"
#include "analysis/compile/program_commands.h"
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
  EXPECT_EQ(inferred.of(file).flags,
            (Strings{"-idirafter", scratch.file("include"), "-idirafter", scratch.file("compat")}));
  const CompileCommand command = findCompileCommand(file, nullptr, &inferred);
  EXPECT_EQ(command.source, "inferred (-idirafter " + scratch.file("include") + " -idirafter " +
                                scratch.file("compat") + ")");
  EXPECT_EQ(command.arguments.back(), scratch.file("compat"));
}

TEST(InferredFlags, AHeaderAboveAFolderIsThatOfAFolderAroundTheFile) {
  ScratchDirectory scratch;
  scratch.write("Makefile", "");
  scratch.write("include/lib/lib.h", "");
  scratch.write("src/core/defs.h", "#include \"../include/lib/lib.h\"\n");
  InferredFlags inferred;
  const std::string file =
      scratch.write("src/core/a.c", "#include \"defs.h\"\nint main(void) { return 0; }\n");
  EXPECT_EQ(inferred.of(file).flags, (Strings{"-idirafter", scratch.file("src")}));
  const CompileCommand command = findCompileCommand(file, nullptr, &inferred);
  EXPECT_TRUE(
      Compiler().compile(file, "#include \"defs.h\"\nint main(void) { return 0; }\n", command).module);
  const std::string other = scratch.write("src/core/b.c", "#include \"../nowhere/lib.h\"\n");
  EXPECT_EQ(inferred.of(other).flags, Strings{});
}

TEST(InferredFlags, MakeWhatABuildMakesAndTakeNothingOfAnotherPlatform) {
  ScratchDirectory scratch;
  scratch.write("configure", "MODE=\"FAST\"\nif x; then MODE=\"SLOW\"; fi\nLEVEL=${LEVEL:-\"3\"}\n");
  scratch.write("config.h.in",
                "/* Define if you have it. */\n#undef HAVE_STDIO_H\n#undef HAVE_NO_SUCH_HEADER_H\n"
                "#undef HAVE_STRNLEN\n#undef HAVE_NO_SUCH_FUNCTION\n#undef SIZEOF_LONG\n#undef WITH_FLAG\n");
  scratch.write("windows/config.h", "#error not this one\n");
  scratch.write("include/lib/settings.h.in",
                "#define @MODE@\n#define LEVEL @LEVEL@\n#ifdef @OTHER@\n#endif\n");
  InferredFlags inferred;
  const std::string file = scratch.write(
      "src/a.c", "#ifdef HAVE_CONFIG_H\n#include <config.h>\n#endif\n#include \"lib/settings.h\"\n");
  const InferredCommand found = inferred.of(file);
  const std::string config = scratch.file("config.h"), settings = scratch.file("include/lib/settings.h");
  EXPECT_EQ(found.flags, (Strings{"-idirafter", scratch.path(), "-idirafter", scratch.file("include"),
                                  "-DHAVE_CONFIG_H"}));
  ASSERT_EQ(found.made.size(), 2u);
  EXPECT_EQ(found.made.at(config),
            "/* Define if you have it. */\n#define HAVE_STDIO_H 1\n\n#define HAVE_STRNLEN 1\n\n"
            "#define SIZEOF_LONG 8\n\n");
  EXPECT_EQ(found.made.at(settings), "#define FAST\n#define LEVEL 3\n#ifdef HEDDLE_UNSET_OTHER\n#endif\n");
  // The text is what Clang sees; nothing is written.
  const CompileCommand command = findCompileCommand(file, nullptr, &inferred);
  EXPECT_NE(command.source.find(config + " as a build may make it"), std::string::npos) << command.source;
  const std::string text =
      "#include <config.h>\n#include \"lib/settings.h\"\n#if !defined(FAST) || LEVEL != 3\n#error\n#endif\n"
      "int main(void) { return HAVE_STRNLEN; }\n";
  EXPECT_TRUE(Compiler().compile(file, text, command).module);
  EXPECT_FALSE(std::filesystem::exists(config));
}

TEST(InferredFlags, MakeWhatCMakeMakes) {
  ScratchDirectory scratch;
  scratch.write("CMakeLists.txt", "project(x C)\n");
  scratch.write("lib/my_config.h.cmake",
                "#cmakedefine HAVE_STDIO_H 1\n#cmakedefine HAVE_NO_SUCH_HEADER_H 1\n"
                "#cmakedefine RECV_TYPE_ARG2 ${RECV_TYPE_ARG2}\n");
  InferredFlags inferred;
  const InferredCommand found = inferred.of(scratch.write("lib/a.c", "#include \"my_config.h\"\n"));
  ASSERT_EQ(found.made.size(), 1u);
  EXPECT_EQ(found.made.at(scratch.file("lib/my_config.h")),
            "#define HAVE_STDIO_H 1\n\n#define RECV_TYPE_ARG2 void *\n");
}

TEST(InferredFlags, MakeAConfigurationWithoutATemplateByTheNamesThatAreAskedFor) {
  ScratchDirectory scratch;
  scratch.write("configure.ac",
                "AC_INIT([x], [1])\nif y; then\n  AC_DEFINE([MAYBE], [1], [Only then.])\nfi\n"
                "AC_DEFINE([ALWAYS], [5], [A number.])\n"
                "  AC_DEFINE_UNQUOTED([FOLDER], [\"$sysconfdir/x\"], [A text.])\n"
                "AH_TOP([#define TOP 3])\ndnl AH_BOTTOM([#error])\n"
                "AH_BOTTOM([#if HAVE_STDBOOL_H\n#include <stdbool.h>\nextern int a[4];\n#endif ])\n");
  InferredFlags inferred;
  const std::string file = scratch.write(
      "src/a.c",
      "#include \"config.h\"\n#if defined(MAYBE) || SIZEOF_SIZE_T != 8 || !defined(HAVE_SYS_TIME_H)\n#error\n"
      "#endif\n#if !defined(X_POSIX_THREADS) || defined(X_WIN_THREADS) || "
      "defined(HAVE_OTHER)\n#error\n#endif\n"
      "#ifdef HAVE_STRUCT_TIMEVAL\n#else\n#error\n#endif\n"
      "static bool is_top = TOP == 3 && sizeof a == 16;\n"
      "const char *f(void) { return ALWAYS == 5 && is_top ? FOLDER PACKAGE_VERSION : 0; }\n");
  const CompileCommand command = findCompileCommand(file, nullptr, &inferred);
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const CompileResult result = Compiler().compile(file, text, command);
  EXPECT_TRUE(result.module) << describe(result) << command.made.at(scratch.file("config.h"));
  // Without a build that makes one, the header is missing.
  ScratchDirectory plain;
  plain.write("Makefile", "");
  EXPECT_TRUE(inferred.of(plain.write("src/a.c", "#include \"config.h\"\n")).made.empty());
}

TEST(InferredFlags, OfHeadersOfOneNameTakeTheOneWhoseFolderTheBuildNames) {
  ScratchDirectory scratch;
  scratch.write("Makefile", "");
  const std::string file = scratch.write("tools/one/a.c", "#include \"mem.h\"\n");
  scratch.write("tools/other/mem.h", "");
  scratch.write("lib/mem.h", "");
  const auto folderOf = [&](const std::string& flags) {
    scratch.write("tools/one/Makefile", "LIB = ../../lib\na: a.c\n\t$(CC) " + flags + " $^ -o $@\n");
    const InferredCommand found = InferredFlags().of(file);
    return found.flags.size() == 2 ? found.flags[1] : "";
  };
  EXPECT_EQ(folderOf(""), scratch.file("tools/other")) << "the nearest";
  EXPECT_EQ(folderOf("-I$(LIB)/"), scratch.file("lib"));
  EXPECT_EQ(folderOf("-I $(top_srcdir)/lib"), scratch.file("lib"));
  EXPECT_EQ(folderOf("-I$(UNKNOWN)/lib"), scratch.file("tools/other"));
}

TEST(InferredFlags, MakeTheHeadersOfAConfigureScriptInAuto) {
  ScratchDirectory scratch;
  scratch.write("src/os/x_linux.h", "#define X_OS 1\n");
  const std::string file = scratch.write(
      "src/core/a.c",
      "#include <x_auto_config.h>\n#if (X_LINUX && X_PTR_SIZE == 8 && X_SIG_ATOMIC_T_SIZE == 4)\n"
      "#include <x_linux.h>\n#endif\nint is_linux[X_OS];\nchar digits[X_TIME_T_LEN + 1];\n"
      "long long most = X_MAX_OFF_T_VALUE;\n");
  InferredFlags inferred;
  EXPECT_TRUE(inferred.of(file).made.empty());
  scratch.write("auto/configure", "");
  const InferredCommand found = inferred.of(file);
  ASSERT_EQ(found.made.size(), 1u);
  const std::string& made = found.made.begin()->second;
  for (const char* line : {"#define X_LINUX 1\n", "#define X_PTR_SIZE 8\n", "#define X_SIG_ATOMIC_T_SIZE 4\n",
                           "#define X_TIME_T_LEN (sizeof(\"-9223372036854775808\") - 1)\n",
                           "#define X_MAX_OFF_T_VALUE 9223372036854775807LL\n"})
    EXPECT_NE(made.find(line), std::string::npos) << made;
  EXPECT_NE(std::find(found.flags.begin(), found.flags.end(), scratch.file("src/os")), found.flags.end());
}

TEST(InferredFlags, MakeAHeaderThatAScriptPutsTogether) {
  ScratchDirectory scratch;
  scratch.write("Makefile", "");
  scratch.write("include/pool/pool.sh",
                "#!/bin/sh\ncat <<EOF\n#ifndef POOL_H\nEOF\nfor hdr in pool_defs.h pool_types.h ; do\n"
                "  cat \"${root}include/pool/${hdr}\"\ndone\necho '#endif /* gone.h */'\n");
  scratch.write("include/pool/pool_defs.h.in", "#undef LG_PAGE\n#undef HAVE_STDIO_H\n");
  scratch.write("include/pool/pool_types.h", "typedef int pool_id;\n");
  scratch.write("include/pool/internal/names.sh",
                "#!/bin/sh\nfor nm in `cat $1` ; do echo \"#define\" ; done\n");
  const std::string file =
      scratch.write("src/a.c", "#include \"pool/pool.h\"\n#include \"pool/internal/names.h\"\n");
  InferredFlags inferred;
  const InferredCommand found = inferred.of(file);
  const std::string pool = scratch.file("include/pool/pool.h");
  ASSERT_TRUE(found.made.contains(pool));
  EXPECT_EQ(found.made.at(pool),
            std::string(kMadeInPart) + "#include \"pool_defs.h\"\n#include \"pool_types.h\"\n");
  EXPECT_EQ(found.made.at(scratch.file("include/pool/internal/names.h")), kMadeInPart);
  const CompileCommand command = findCompileCommand(file, nullptr, &inferred);
  EXPECT_NE(command.source.find(pool + " in part"), std::string::npos) << command.source;
  EXPECT_TRUE(Compiler()
                  .compile(file, "#include \"pool/pool.h\"\nint page[LG_PAGE == 12 ? 1 : -1];\npool_id id;\n",
                           command)
                  .module);
}

TEST(InferredFlags, OfTwoConfigurationsOneDefinesAName) {
  ScratchDirectory scratch;
  scratch.write("configure.ac", "AC_INIT([x], [1])\nAC_CONFIG_HEADERS([lib/config.h include/x/build.h])\n");
  scratch.write("include/x/build.h.in",
                "#ifdef X_SIZEOF_LONG\n#  error \"shall not be defined\"\n#endif\n"
                "#undef X_PULL_SYS_SOCKET_H\n#ifdef X_PULL_SYS_SOCKET_H\n#include <sys/socket.h>\n#endif\n"
                "#undef X_SIZEOF_LONG\n#undef X_TYPEOF_X_SOCKLEN_T\n#undef X_SIZEOF_X_SOCKLEN_T\n"
                "#undef X_FORMAT_X_OFF_T\ntypedef X_TYPEOF_X_SOCKLEN_T x_socklen_t;\n");
  const std::string text =
      "#include \"config.h\"\n#ifdef OLD_SIZEOF_LONG\n#  error \"no more\"\n#endif\n"
      "#include <x/build.h>\n#if !defined(RECV_TYPE_ARG1) || \\\n    !defined(RECV_TYPE_ARG2)\n"
      "  Error missing_types\n#endif\n"
      "int size[sizeof(x_socklen_t) == X_SIZEOF_X_SOCKLEN_T && X_SIZEOF_LONG == 8 ? 1 : -1];\n"
      "const char *format = X_FORMAT_X_OFF_T;\n";
  const std::string file = scratch.write("lib/a.c", text);
  InferredFlags inferred;
  const CompileCommand command = findCompileCommand(file, nullptr, &inferred);
  EXPECT_TRUE(Compiler().compile(file, text, command).module) << command.source;
}

TEST(InferredFlags, APackageThatIsNotThereIsOff) {
  ScratchDirectory scratch;
  scratch.write("CMakeLists.txt",
                "project(x C)\nset(USE_GONE ON)\nset(USE_STDIO ON)\nconfigure_file(config.h.cmake config.h)\n"
                "add_library(x lib/a.c lib/gone.c)\ntarget_compile_definitions(x PRIVATE WITH_GONE)\n");
  scratch.write("config.h.cmake", "#cmakedefine USE_GONE 1\n#cmakedefine USE_STDIO 1\n");
  scratch.write("lib/gone.h",
                "#ifdef USE_GONE\n#include <no_such_package.h>\n#elif defined(USE_OTHER)\n#include "
                "<no_such_other.h>\n#else\n#define GONE 0\n#endif\n"
                "#if defined(WITH_GONE)\n# if 1\n#include <no_such_library.h>\n# endif\n#endif\n"
                "#ifdef USE_STDIO\n#include <stdio.h>\n#endif\n");
  scratch.write("lib/gone.c",
                "#include \"config.h\"\n#ifdef USE_GONE\n#include \"gone.h\"\nint mutex;\n#endif\n");
  const std::string text =
      "#include \"config.h\"\n#include \"gone.h\"\n"
      "int a(void) { return GONE + (stdin != 0); }\n";
  const std::string file = scratch.write("lib/a.c", text);
  InferredFlags inferred;
  const InferredCommand found = inferred.of(file);
  ASSERT_TRUE(found.made.contains(scratch.file("config.h")));
  EXPECT_EQ(found.made.at(scratch.file("config.h")), "\n#define USE_STDIO 1\n");
  EXPECT_EQ(std::count(found.flags.begin(), found.flags.end(), "-DWITH_GONE"), 0);
  EXPECT_TRUE(Compiler().compile(file, text, findCompileCommand(file, nullptr, &inferred)).module);
}

TEST(InferredFlags, HaveWhatTheCompilerHasBuiltIn) {
  ScratchDirectory scratch;
  scratch.write(
      "config.h.in",
      "#undef HAVE_GCC_BUILTINS_FOR_SYNC_OPERATIONS\n#undef HAVE_SYNC_BUILTINS\n#undef HAVE_C11_ATOMICS\n"
      "#undef HAVE_STDATOMIC_H\n#undef HAVE_TLS\n#undef HAVE_MSVC_BUILTINS\n#undef HAVE_MACOS_STDATOMIC\n"
      "#undef HAVE_TLS_SERVER\n#undef HAVE_OS_SYNC_WAIT_ON_ADDRESS\n");
  InferredFlags inferred;
  const auto found = inferred.of(scratch.write("a.c", "#include \"config.h\"\n"));
  EXPECT_EQ(found.made.at(scratch.file("config.h")),
            "#define HAVE_GCC_BUILTINS_FOR_SYNC_OPERATIONS 1\n#define HAVE_SYNC_BUILTINS 1\n"
            "#define HAVE_C11_ATOMICS 1\n#define HAVE_STDATOMIC_H 1\n#define HAVE_TLS 1\n\n\n\n\n");
}

TEST(InferredFlags, TurnTheThreadsOfAProjectOnWhereItsBuildDoes) {
  ScratchDirectory scratch;
  scratch.write("Makefile", "mt: CPPFLAGS += -DPOOL_MULTITHREAD -DNOTHREAD -DOTHER_THREADS=1\n");
  InferredFlags inferred;
  EXPECT_EQ(inferred
                .of(scratch.write("lib/pool.c",
                                  "#ifdef POOL_MULTITHREAD\n#endif\n"
                                  "#if !defined(NOTHREAD) || THREADS_OF_ANOTHER\n#endif\n"))
                .flags,
            Strings{"-DPOOL_MULTITHREAD"});
  EXPECT_EQ(inferred.of(scratch.write("lib/other.c", "int x;\n")).flags, Strings{});
}

TEST(InferredFlags, TurnOnWhatAllOfAFileLiesWithin) {
  ScratchDirectory scratch;
  InferredFlags inferred;
  const auto flagsOf = [&](const std::string& begin, const std::string& more = "") {
    std::string text = "#include <pthread.h>\n/* all\nof it */\n" + begin + "\n";
    for (int i = 0; i < 9; ++i) text += "int f" + std::to_string(i) + "(void) { return 0; } // #endif\n";
    return inferred.of(scratch.write("src/a.c", text + "#ifdef MORE\n#endif\n#endif\n" + more)).flags;
  };
  EXPECT_EQ(flagsOf("#ifdef WITH_SHELL"), Strings{"-DWITH_SHELL"});
  EXPECT_EQ(flagsOf("# if defined(USE_A) && (defined B) && !defined(C)  // why"),
            (Strings{"-DUSE_A", "-DB"}));
  EXPECT_EQ(flagsOf("#if USE_A", "#else\nint none;\n"), Strings{"-DUSE_A"});
  // Other systems, guards, numbers, choices, and a file that has code without it.
  EXPECT_EQ(flagsOf("#ifdef _WIN32"), Strings{});
  EXPECT_EQ(flagsOf("#if defined(USE_A) && defined(HAVE_KQUEUE_BSD)"), Strings{});
  EXPECT_EQ(flagsOf("#ifndef SHELL"), Strings{});
  EXPECT_EQ(flagsOf("#if LEVEL > 2"), Strings{});
  EXPECT_EQ(flagsOf("#if defined(A) || defined(B)"), Strings{});
  EXPECT_EQ(flagsOf("#define USE_A\n#ifdef USE_A"), Strings{});
  EXPECT_EQ(flagsOf("#ifdef USE_A", "int a;\nint b;\nint c;\nint d;\n"), Strings{});
}

TEST(InferredFlags, TakeMacrosThatAMakefileGivesEveryFile) {
  ScratchDirectory scratch;
  scratch.write("configure", "");
  scratch.write(
      "Makefile",
      "LEVEL ?= 3\n# -DCOMMENTED\nCFLAGS += -DWITH_POLL -DNDEBUG -DNAME=\\\"a/$(prefix)\\\" \\\n"
      "  -DLEVEL=$(LEVEL) -D UNUSED -DUNKNOWN=$(shell date)\nifeq ($(SSL),1)\nCFLAGS += -DWITH_SSL\nendif\n");
  scratch.write("CMakeLists.txt",
                "add_definitions(-DFROM_CMAKE)\nadd_compile_options(\"-DQUOTED=64\")\n"
                "list(APPEND CMAKE_REQUIRED_DEFINITIONS \"-DCHECKED=1\")\nif(WIN32)\n  "
                "add_definitions(-DON_WINDOWS)\nendif()\n");
  scratch.write("other/Makefile", "CFLAGS = -DELSEWHERE\n");
  InferredFlags inferred;
  const std::string file = scratch.write(
      "src/a.c",
      "#if defined(WITH_POLL) || defined(WITH_SSL) || defined(NDEBUG) || defined(COMMENTED)\n#endif\n"
      "#if defined(FROM_CMAKE) || defined(ON_WINDOWS) || ELSEWHERE || UNKNOWN\n#endif\n"
      "const char *name = NAME; int level = LEVEL, quoted = QUOTED + CHECKED;\n");
  EXPECT_EQ(inferred.of(file).flags,
            (Strings{"-DFROM_CMAKE", "-DLEVEL=3", "-DNAME=\"a/\"", "-DQUOTED=64", "-DWITH_POLL"}));
}

TEST(InferredFlags, MakeHeadersThatConfigureAndCMakeMake) {
  ScratchDirectory scratch;
  scratch.write("configure.ac",
                "AC_CONFIG_HEADERS([miner-config.h inc/lib.h])\nAC_DEFINE([HAVE_EPOLL],[1],[x])\n");
  scratch.write("lib/CMakeLists.txt",
                "generate_export_header(pool BASE_NAME my-pool EXPORT_FILE_NAME ${X}/pool/export.h)\n");
  scratch.write("rfb/conf.h.cmakein",
                "#cmakedefine MY_HAVE_STDIO_H 1\n#cmakedefine HAVE_MY_SIZE_T 1\n"
                "#define LEVEL @MY_LEVEL@\n");
  scratch.write("CMakeLists.txt", "set(MY_LEVEL \"7\" CACHE STRING \"x\")\n");
  InferredFlags inferred;
  const InferredCommand found =
      inferred.of(scratch.write("a.c",
                                "#include \"miner-config.h\"\n#include <pool/export.h>\n#include "
                                "\"rfb/conf.h\"\n#ifdef HAVE_EPOLL\n#endif\n"));
  ASSERT_EQ(found.made.size(), 3u);
  EXPECT_NE(found.made.at(scratch.file("miner-config.h")).find("#define HAVE_EPOLL 1\n"), std::string::npos);
  EXPECT_NE(found.made.at(scratch.file("lib/pool/export.h")).find("#define MY_POOL_EXPORT\n"),
            std::string::npos);
  EXPECT_EQ(found.made.at(scratch.file("rfb/conf.h")),
            "#define MY_HAVE_STDIO_H 1\n#define HAVE_MY_SIZE_T 1\n#define LEVEL 7\n");
}

TEST(InferredFlags, AHeaderOfTheSystemIsNotTheFilesNeighbour) {
  ScratchDirectory scratch;
  scratch.write("Makefile", "");
  scratch.write("signal.h", "#define OURS 1\n");
  const std::string file = scratch.write("a.c", "");
  InferredFlags inferred;
  const CompileCommand command = findCompileCommand(file, nullptr, &inferred);
  EXPECT_TRUE(Compiler().compile(file, "#include <signal.h>\nint x = SIGINT;\n", command).module);
  EXPECT_TRUE(Compiler().compile(file, "#include \"signal.h\"\nint x = OURS;\n", command).module);
}

TEST(InferredFlags, AProjectsOwnHeaderIsNotThatOfALibraryThatIsInstalled) {
  ScratchDirectory scratch;
  scratch.write("Makefile", "");
  scratch.write("api/z3.h", "#define OWN_SOLVER 1\n");  // which this product is built with
  scratch.write("compat/stdio.h", "#error not this one\n");
  InferredFlags inferred;
  const std::string own = scratch.write("src/own.c", "#include \"z3.h\"\n#include \"stdio.h\"\n");
  EXPECT_EQ(inferred.of(own).flags, (Strings{"-iquote", scratch.file("api")}));
  EXPECT_EQ(inferred.of(scratch.write("src/other.c", "#include <z3.h>\n")).flags, Strings{});
}

TEST(InferredFlags, OfEquallyNearHeadersThoseOfThisSystemAreTaken) {
  ScratchDirectory scratch;
  scratch.write("Makefile", "");
  scratch.write("osal/rtk/defs.h", "");
  scratch.write("osal/linux/defs.h", "");
  scratch.write("osal/win32/defs.h", "");
  InferredFlags inferred;
  EXPECT_EQ(inferred.of(scratch.write("soem/a.c", "#include \"defs.h\"\n")).flags,
            (Strings{"-idirafter", scratch.file("osal/linux")}));
}

TEST(InferredFlags, MacrosOfOneTargetHoldForItsFiles) {
  ScratchDirectory scratch;
  scratch.write("configure.ac", "AC_INIT([x], [1])\n");
  scratch.write("Makefile.am",
                "AM_CPPFLAGS = -DEVERY\nbin_PROGRAMS = tool lone-one\nlib_LTLIBRARIES = libpool.la\n"
                "COMMON = src/common.c\ntool_SOURCES = src/tool.c $(COMMON)\n"
                "libpool_la_SOURCES = $(srcdir)/src/pool.c \\\n  $(COMMON)\n"
                "libpool_la_CFLAGS = -DMODE=1\ntool_CPPFLAGS = -DMODE=2 -DTOOL\n"
                "lone_one_CFLAGS = -DLONE\n");
  scratch.write("plain/Makefile",
                "CFLAGS += -DPLAIN\nOBJECTS = a.o b.o\nall: fast slow\nb.o: CFLAGS += -DMODE=3\n"
                "fast: $(OBJECTS)\n\t$(CC) $(CFLAGS) -o fast $(OBJECTS)\n"
                "slow: c.c\n\t$(CC) -DSLOW -DMODE=4 -o slow c.c\nquick: c.c\n\t$(CC) -DQUICK -DMODE=5 c.c\n"
                "debug: CFLAGS += -DDEBUG\ndebug: fast\n\tcmake -DTOOLS=1 .\n");
  scratch.write("meson/meson.build",
                "srcs = ['one.c',\n  'both.c']\nexecutable('one', srcs, c_args : '-DONE -DMODE=6')\n"
                "library('two', sources : ['two.c', 'both.c'],\n  c_args : ['-DTWO'])\n");
  InferredFlags inferred;
  const std::string text =
      "#if MODE + EVERY + TOOL + LONE + PLAIN + SLOW + QUICK + DEBUG + TOOLS + ONE + TWO\n#endif\n";
  const auto flagsOf = [&](const char* name) { return inferred.of(scratch.write(name, text)).flags; };
  EXPECT_EQ(flagsOf("src/pool.c"), (Strings{"-DEVERY", "-DMODE=1"}));
  EXPECT_EQ(flagsOf("src/tool.c"), (Strings{"-DEVERY", "-DMODE=2", "-DTOOL"}));
  // Compiled twice, it is read as one of the two, and never with macros of both.
  EXPECT_EQ(flagsOf("src/common.c"), (Strings{"-DEVERY", "-DMODE=1"}));
  EXPECT_EQ(flagsOf("src/other.c"), (Strings{"-DEVERY"}));
  EXPECT_EQ(flagsOf("lone-one.c"), (Strings{"-DEVERY", "-DLONE"}));
  EXPECT_EQ(flagsOf("plain/a.c"), (Strings{"-DEVERY", "-DPLAIN"}));
  EXPECT_EQ(flagsOf("plain/b.c"), (Strings{"-DEVERY", "-DMODE=3", "-DPLAIN"}));
  EXPECT_EQ(flagsOf("plain/c.c"), (Strings{"-DEVERY", "-DMODE=4", "-DPLAIN", "-DSLOW"}));
  EXPECT_EQ(flagsOf("meson/both.c"), (Strings{"-DEVERY", "-DMODE=6", "-DONE"}));
  EXPECT_EQ(flagsOf("meson/two.c"), (Strings{"-DEVERY", "-DTWO"}));
}

TEST(InferredFlags, OfSeveralTargetsTheOneWithThreadsIsRead) {
  ScratchDirectory scratch;
  scratch.write(
      "Makefile",
      "all: try_pair lock_pair\ntry_pair lock_pair: pair.c\n\t$(CC) -DTRY $(CFLAGS) -o try_pair pair.c\n"
      "\t$(CC) -DPTHREADS $(CFLAGS) -o lock_pair pair.c\n");
  InferredFlags inferred;
  const auto flagsOf = [&](const char* name) {
    return inferred.of(scratch.write(name, "#if defined(TRY) || defined(PTHREADS)\n#endif\n")).flags;
  };
  EXPECT_EQ(flagsOf("pair.c"), (Strings{"-DPTHREADS"}));
  scratch.write("meson/meson.build",
                "executable('try', 'one.c', c_args : '-DTRY')\nexecutable('lock', 'one.c', c_args : "
                "'-DPTHREADS')\n");
  EXPECT_EQ(flagsOf("meson/one.c"), (Strings{"-DPTHREADS"}));
}

TEST(InferredFlags, OfSeveralTargetsOfCMakeTheOneWithThreadsIsRead) {
  ScratchDirectory scratch;
  scratch.write("CMakeLists.txt",
                "project(x C)\nadd_executable(try pair.c)\ntarget_compile_definitions(try PRIVATE TRY)\n"
                "add_executable(lock pair.c)\ntarget_compile_definitions(lock PRIVATE PTHREADS)\n");
  InferredFlags inferred;
  EXPECT_EQ(inferred.of(scratch.write("pair.c", "#if defined(TRY) || defined(PTHREADS)\n#endif\n")).flags,
            (Strings{"-DPTHREADS"}));
}

TEST(InferredFlags, FilesOfOneProgramAreReadAsOneProgram) {
  ScratchDirectory scratch;
  scratch.write("meson.build",
                "executable('daemon', ['daemon.c', 'both.c'], c_args : '-DDAEMON')\n"
                "library('client', ['client.c', 'both.c'], c_args : '-DCLIENT')\n");
  const std::string asks = "#if defined(DAEMON) || defined(CLIENT) || defined(USE_POOL)\n#endif\n";
  std::string inside = "#include <pthread.h>\n#ifdef USE_POOL\n";
  for (int i = 0; i < 9; ++i) inside += "int f" + std::to_string(i) + "(void) { return 0; }\n";
  InferredFlags inferred;
  const auto commandOf = [&](const char* name, const std::string& text) {
    return findCompileCommand(scratch.write(name, text), nullptr, &inferred);
  };
  CompileCommand client = commandOf("client.c", asks), both = commandOf("both.c", asks),
                 pool = commandOf("pool.c", inside + "#endif\n");
  const auto has = [](const CompileCommand& command, const char* flag) {
    return std::find(command.arguments.begin(), command.arguments.end(), flag) != command.arguments.end();
  };
  EXPECT_TRUE(has(both, "-DDAEMON") && !has(both, "-DCLIENT") && !has(both, "-DUSE_POOL"));
  readAsOneProgram(client, {&both, &pool});
  // As the client has it, and with what all of the pool lies within: else a structure has two sizes.
  EXPECT_TRUE(!has(both, "-DDAEMON") && has(both, "-DCLIENT") && has(both, "-DUSE_POOL"));
  EXPECT_TRUE(has(client, "-DUSE_POOL") && has(client, "-DCLIENT") && !has(client, "-DDAEMON"));
  EXPECT_NE(both.source.find("-DCLIENT instead"), std::string::npos) << both.source;
  CompileCommand typed = commandFromFlags("/a.c", {"-DX"});
  readAsOneProgram(typed, {&pool});
  EXPECT_FALSE(has(typed, "-DUSE_POOL"));
}

}  // namespace
}  // namespace heddle
