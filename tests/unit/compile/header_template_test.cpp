// Headers that a build makes from a template or by a script, by what the scripts of the project say.
#include <gtest/gtest.h>

#include "analysis/compile/made_header.h"

namespace heddle {
namespace {

const SystemNames& noNames() {
  static const SystemNames names({});
  return names;
}

TEST(HeaderTemplate, MacrosWithParametersAreDefinedWithoutAnUnknownPrefix) {
  const std::string configure =
      "if test \"x$prefix\" = \"x\" ; then\n"
      "  AC_DEFINE_UNQUOTED([OWN_N(name)], [${own_prefix}##name])\nfi\n";
  EXPECT_EQ(headerFromTemplate("#undef OWN_N\n#undef OTHER_N\n", configure, noNames()),
            "#define OWN_N(name) name\n\n");
  EXPECT_EQ(headerFromTemplate("#undef TWICE\n", "AC_DEFINE([TWICE(n)], [((n) * 2)])\n", noNames()),
            "#define TWICE(n) ((n) * 2)\n");
  EXPECT_EQ(headerFromTemplate("#undef OWN_N\n", "# [OWN_N(name)], [name]\n", noNames()), "\n");
}

TEST(HeaderTemplate, WhatIsAlwaysDefinedHasTheFirstValueOfItsVariable) {
  const std::string define = "AC_DEFINE_UNQUOTED([PAUSE], [$PAUSE])\n";
  const std::string set = "\n  PAUSE='__asm__ volatile(\"pause\")'\n";
  EXPECT_EQ(headerFromTemplate("#undef PAUSE\n", "\nPAUSE=\"\"" + set + define, noNames()),
            "#define PAUSE \n");
  EXPECT_EQ(headerFromTemplate("#undef PAUSE\n", "\nPAUSE=1" + set + define, noNames()), "#define PAUSE 1\n");
  EXPECT_EQ(headerFromTemplate("#undef PAUSE\n", "\nPAUSE=\"\"" + set + "  " + define, noNames()), "\n")
      << "only on some way";
}

TEST(HeaderTemplate, WhatTheTemplateDefinesItUndefines) {
  const std::string text = "#define PART_TYPES\n#include \"parts.h\"\n#undef PART_TYPES\n";
  EXPECT_EQ(headerFromTemplate(text, "", noNames()), text);
  EXPECT_EQ(headerFromTemplate("#undef PART_TYPES\n", "", noNames()), "\n");
  const std::string either = "#ifdef __APPLE__\n# define SIZEOF_LONG 8\n#else\n";
  EXPECT_EQ(headerFromTemplate(either + "# undef SIZEOF_LONG\n#endif\n", "", noNames()),
            either + "#define SIZEOF_LONG 8\n#endif\n")
      << "another branch";
}

TEST(HeaderTemplate, AScriptDefinesWhatItPrints) {
  const std::string script =
      "bins() {\n  echo \"#define\tNBINS\t\t${bin}\"\n  echo \"#define\tLARGEST\t4096\"\n"
      "  echo \"#define\tCLASSES\t\\\\\"\n}\ncat <<EOF\n#ifndef NBINS\n#  error \"none\"\n#endif\nEOF\n";
  EXPECT_EQ(headerFromScript(script, [](const std::string&) { return false; }),
            std::string(kMadeInPart) +
                "#ifndef NBINS\n#define NBINS 32\n#endif\n#ifndef LARGEST\n#define LARGEST 4096\n#endif\n"
                "#ifndef CLASSES\n#define CLASSES \n#endif\n");
  EXPECT_EQ(headerFromScript("echo '#define HAVE_X 1'\nprintf '#define N %d\\n' \"$n\"\ncat <<EOF\n"
                             "#define V \"1.0\"\nEOF\n",
                             [](const std::string&) { return false; }),
            std::string(kMadeInPart) +
                "#ifndef HAVE_X\n#define HAVE_X 1\n#endif\n#ifndef N\n#define N 32\n#endif\n"
                "#ifndef V\n#define V \"1.0\"\n#endif\n");
}

}  // namespace
}  // namespace heddle
