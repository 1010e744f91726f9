// What a project's configure.ac comes to when nobody asks for anything special.
#include <gtest/gtest.h>

#include "analysis/compile/configure_project.h"
#include "analysis/compile/inferred_flags.h"
#include "analysis/compile/made_header.h"
#include "compile_helpers.h"

namespace heddle {
namespace {

ConfigureProject configuredBy(const ScratchDirectory& scratch) {
  static const SystemNames system({"/usr/include", "/usr/include/x86_64-linux-gnu"});
  BuildChecks checks(system, [](const std::string& text) {
    return text.find("no_such") == std::string::npos ? std::optional<uint64_t>(4) : std::nullopt;
  });
  return configureByAutoconf(scratch.path(), checks);
}

TEST(ConfigureProject, FollowsChecksConditionsAndMacrosOfTheProject) {
  ScratchDirectory scratch;
  scratch.write("m4/own.m4", R"(
AC_DEFUN([OWN_DEFAULT], [m4_define([own_default], [$1])])
AC_DEFUN([OWN_FEATURE], [ dnl
m4_pushdef([FEATURE], patsubst([$1], -, _))dnl
AS_IF([test "x$enable_[]FEATURE[]" = x && test "own_default" = yes], [enable_[]FEATURE[]="own_default"])
AC_ARG_ENABLE([$1], AS_HELP_STRING([--enable-$1], [Is it, or isn't it?]), [enable_[]FEATURE[]=other], [:])
])
AC_DEFUN([OWN_COMPILES], [AC_CACHE_CHECK([for $1], [$2], [AC_LINK_IFELSE([AC_LANG_PROGRAM([$3], [$4])],
                                                                        [$2=yes], [$2=no])])])
)");
  scratch.write("configure.ac", R"(AC_INIT([x], [1.2])
OWN_DEFAULT([yes])
OWN_FEATURE([per-thread])
OWN_DEFAULT([no])
OWN_FEATURE([counting])
AS_IF([test "$enable_per_thread" = yes], [AC_DEFINE([PER_THREAD], [1], [Fast, isn't it?])])
if test "x$enable_counting" = xyes; then AC_DEFINE([COUNTING]) fi
OWN_COMPILES([atomics], [own_cv_atomics], [#include <stdint.h>], [[int a[2]; return a[0];]])
OWN_COMPILES([others], [own_cv_others], [], [no_such();])
if test "x${own_cv_atomics}" = "xyes" -a \
        "x$own_cv_others" != "xyes" ; then
  AC_DEFINE([ATOMICS], [ ], [ ])
elif true; then
  AC_DEFINE([NEVER], [1])
fi
case "${host}" in
  *-*-darwin* | *-*-ios*)
    AC_DEFINE([ON_MAC])
    ;;
  *-*-linux*)
    AC_DEFINE([ON_LINUX])
    CPPFLAGS="$CPPFLAGS -DGIVEN=2"
    ;;
esac
dnl AC_DEFINE([COMMENTED])
AC_ARG_WITH([size], [AS_HELP_STRING([--with-size], [x])], [size=$withval], [size=64])
AC_DEFINE_UNQUOTED([SIZE], [$size], [x])
AC_CHECK_LIB([maybe], [maybe_init], [AC_DEFINE([MAYBE])], [AC_DEFINE([NO_MAYBE])])
PKG_CHECK_MODULES([GLIB], [glib-2.0], [found=yes], [found=no])
test "$found" = yes && AC_DEFINE([GLIB_FOUND])
version=`git describe`
AC_DEFINE_UNQUOTED([REVISION], [$version])
AX_TLS([AC_DEFINE([HAS_TLS])], [:])
AC_RUN_IFELSE([AC_LANG_SOURCE([int main(void) { return 0; }])], [AC_DEFINE([RAN])])
AC_TRY_COMPILE([#include <pthread.h>], [pthread_self();], AC_DEFINE([TRIED]), [])
AC_SUBST([suffix], [""])
)");
  const ConfigureProject found = configuredBy(scratch);
  EXPECT_EQ(found.defined, (Macros{{"ATOMICS", ""},
                                   {"HAS_TLS", "1"},
                                   {"ON_LINUX", "1"},
                                   {"PER_THREAD", "1"},
                                   {"SIZE", "64"},
                                   {"TRIED", "1"}}));
  EXPECT_EQ(found.macros, (Macros{{"GIVEN", "2"}}));
  EXPECT_EQ(found.variables.at("suffix"), "");
  EXPECT_FALSE(found.variables.contains("found"));
}

TEST(ConfigureProject, ADataOfEachThreadIsOneOfEachThread) {
  ScratchDirectory scratch;
  scratch.write("configure.ac", R"(AC_INIT([x], [1])
AC_CONFIG_HEADERS([config.h])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[static __thread int x;]], [[x = 1;]])], [own_tls=yes], [own_tls=no])
AS_IF([test "$own_tls" = yes], [AC_DEFINE([OWN_TLS], [1], [x])])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[]], [[no_such_function(1);]])], [AC_DEFINE([OWN_OTHER])])
AC_CHECK_SIZEOF([long double])
)");
  scratch.write("config.h.in", "#undef OWN_TLS\n#undef OWN_OTHER\n");
  InferredFlags inferred;
  const std::string text =
      "#include \"config.h\"\n#if !defined(OWN_TLS) || defined(OWN_OTHER)\n#error\n#endif\nint main(void) { "
      "return "
      "0; }\n";
  const std::string file = scratch.write("a.c", text);
  const CompileCommand command = findCompileCommand(file, nullptr, &inferred);
  EXPECT_TRUE(Compiler().compile(file, text, command).module) << command.made.at(scratch.file("config.h"));
}

TEST(ConfigureProject, AHeaderThatEveryFileBeginsWithIsMade) {
  ScratchDirectory scratch;
  scratch.write("configure.ac",
                "AC_INIT([x], [1])\nAC_CONFIG_HEADERS([include/config.h])\nAC_DEFINE([FIRST], [7])\n"
                "AM_CPPFLAGS=\"-I\\$(top_builddir)/include -include config.h\"\n");
  scratch.write("include/config.h.in", "#undef FIRST\n");
  scratch.write("src/Makefile.am", "-include local.mk\nAM_CFLAGS = -include $(top_srcdir)/compat/own.h\n");
  scratch.write("compat/own.h", "#define OWN 1\n");
  InferredFlags inferred;
  const std::string text = "int a[FIRST + OWN];\n";
  const std::string file = scratch.write("src/a.c", text);
  const CompileCommand command = findCompileCommand(file, nullptr, &inferred);
  EXPECT_TRUE(Compiler().compile(file, text, command).module) << command.source;
}

TEST(ConfigureProject, AFolderWhoseTemplateAutoheaderMakesHasNoOtherOnes) {
  ScratchDirectory scratch;
  scratch.write("configure.ac", "AC_INIT([x], [1])\nAM_CONFIG_HEADER(lib/config.h src/config.h)\n");
  scratch.write("src/config.h.in", "#undef HAVE_STDIO_H\n");
  InferredFlags inferred;
  const std::string text =
      "#ifdef HAVE_CONFIG_H\n#include \"config.h\"\n#endif\n#include <netdb.h>\n"
      "#ifdef HAVE_NETINET_IN_H\n#include <netinet/in.h>\n#endif\nin_addr_t address;\n"
      "#if !defined(GETNAMEINFO_QUAL_ARG1) || !defined(GETNAMEINFO_TYPE_ARG1)\n  Error missing\n#endif\n"
      "int name(GETNAMEINFO_QUAL_ARG1 GETNAMEINFO_TYPE_ARG1 a);\n"
      "#ifndef HAVE_GETHOSTBYNAME_R_6\n#error \"glibc has six\"\n#endif\n"
      "#ifdef HAVE_GETHOSTBYNAME_R_5\n#error \"glibc has six\"\n#endif\n";
  const std::string file = scratch.write("lib/a.c", text);
  const CompileCommand command = findCompileCommand(file, nullptr, &inferred);
  EXPECT_TRUE(command.made.contains(scratch.file("lib/config.h")));
  EXPECT_TRUE(Compiler().compile(file, text, command).module) << command.source;
  const std::string other = scratch.write("src/b.c", "#include \"config.h\"\n");
  EXPECT_TRUE(findCompileCommand(other, nullptr, &inferred).made.contains(scratch.file("src/config.h")));
}

TEST(ConfigureProject, ScriptsWithoutAnEndAreBounded) {
  ScratchDirectory scratch;
  std::string text =
      "AC_DEFUN([AGAIN], [AGAIN AGAIN $1$1])\nAGAIN([x])\nm4_define([LOOP], [LOOP LOOP])\nA=LOOP\n";
  for (int i = 0; i < 3000; ++i) text += "if test \"$A\" = b; then\n";
  for (int i = 0; i < 30; ++i) text += "A=\"$A$A$A\"\n";
  text += std::string(3000, '[') + "AC_DEFINE([X], [" + std::string(3000, '(');
  scratch.write("configure.ac", text + "case x in\n(\"`${");
  configuredBy(scratch);
  for (const char* end : {"if", "if x; then", "case", "case x in a", "for", "AC_DEFINE(", "\"", "`", "$(",
                          "${", "[", "A=", "A+=", "test x &&", "AS_IF([", "AC_DEFUN(", "\\"}) {
    ScratchDirectory one;
    one.write("configure.ac", end);
    configuredBy(one);
  }
}

/// nginx' way: each file is sourced, and one writes what its caller has named.
TEST(ConfigureProject, AScriptThatIsWrittenByHandIsFollowed) {
  ScratchDirectory scratch;
  scratch.write("auto/configure", R"sh(#!/bin/sh
. auto/options
if [ $CACHE = YES -a $HTTP != NO ]; then
    have=X_CACHE . auto/have
else
    have=X_NO_CACHE . auto/have
fi
if [ $DEBUG = YES ]; then
    have=X_DEBUG . auto/have
fi
system=`uname -s`
if [ $system = Linux ]; then
    have=X_SYSTEM . auto/have
fi
have=X_LOG value="\"$LOG\"" . auto/define
. /etc/profile
. auto/nothing
)sh");
  scratch.write("auto/define", R"sh(cat << END >> $AUTO_CONFIG_H
#define $have  $value
END
)sh");
  scratch.write("auto/options", R"sh(CACHE=YES
HTTP=YES
DEBUG=NO
PLACE=/var
LOG=${LOG:-$PLACE/log}
for option
do
    case "$option" in
        --without-cache) CACHE=NO ;;
    esac
done
)sh");
  scratch.write("auto/have", R"sh(cat << END >> $AUTO_CONFIG_H

#ifndef $have
#define $have  1
#endif

END
LIMIT=3
cat << END >> $AUTO_CONFIG_H
#define X_LIMIT $LIMIT
END
)sh");
  EXPECT_EQ(configuredBy(scratch).defined,
            (Macros{{"X_CACHE", "1"}, {"X_LIMIT", "3"}, {"X_LOG", "\"/var/log\""}}));
}

}  // namespace
}  // namespace heddle
