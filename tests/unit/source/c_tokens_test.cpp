// What an edit may change without changing the program.
#include "server/source/c_tokens.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> out;
  for (const CToken& token : lexC(text).tokens)
    out.push_back(text.substr(token.range.begin, token.range.end - token.range.begin));
  return out;
}

TEST(CTokens, TokensOfOrdinaryC) {
  EXPECT_EQ(words("int x=0x1F; // note\nchar *s = \"a\\\"b\"; c = '\\'';"),
            (std::vector<std::string>{"int", "x", "=", "0x1F", ";", "char", "*", "s", "=", "\"a\\\"b\"", ";",
                                      "c", "=", "'\\''", ";"}));
  EXPECT_EQ(words("1e+5f .5 1.p-3"), (std::vector<std::string>{"1e+5f", ".5", "1.p-3"}));
}

TEST(CTokens, DirectivesEndWithTheirLine) {
  EXPECT_EQ(words("#define A \\\n 1\nint"), (std::vector<std::string>{"#", "define", "A", "1", "", "int"}));
  EXPECT_EQ(words("a # b"), (std::vector<std::string>{"a", "#", "b"})) << "only at the beginning of a line";
}

TEST(CTokens, AnyBytesAreLexedToTheirEnd) {
  for (const std::string text :
       {"/* open", "\"open", "'", "//", "/", "\\", "\\\n", "#", "\xff\xfe", "\"\\", ""}) {
    for (const CToken& token : lexC(text).tokens) EXPECT_LE(token.range.end, text.size()) << text;
    for (const ByteRange comment : lexC(text).comments) EXPECT_LE(comment.end, text.size()) << text;
  }
}

TEST(SameProgram, CommentsAndLayoutDoNotMatter) {
  EXPECT_TRUE(sameProgram("int x=1;", "int  x = 1 ; // one"));
  EXPECT_TRUE(sameProgram("a;\nb;", "a; /* long\n comment */\n\n\n b;"));
  EXPECT_TRUE(sameProgram("#define A 1\nint x;", "#define A 1   // note\n\nint x;"));
  EXPECT_TRUE(sameProgram("if (x) {\n}", "if(x){}"));
}

TEST(SameProgram, EverythingElseDoes) {
  EXPECT_FALSE(sameProgram("x = 1;", "x = 2;"));
  EXPECT_FALSE(sameProgram("int x;", "intx;"));
  EXPECT_FALSE(sameProgram("\"a b\"", "\"a  b\""));
  EXPECT_FALSE(sameProgram("#define f(x) x\n", "#define f (x) x\n"))
      << "not a macro with a parameter any more";
  EXPECT_FALSE(sameProgram("#define A 1\nint x;", "#define A 1 int x;")) << "the line end ends the directive";
  EXPECT_FALSE(sameProgram("a + +b", "a ++b"));
  EXPECT_FALSE(sameProgram("// x++;\n", "x++;\n"));
  EXPECT_FALSE(sameProgram("int x; //", "//int x; "));
}

TEST(SameProgram, CommentsToHeddleAndLineNumbersDo) {
  EXPECT_FALSE(sameProgram("int x;", "int x; // heddle: harness f() || g()"));
  EXPECT_FALSE(sameProgram("x; /* heddle: ignore[race] a */", "x; /* heddle: ignore[race] b */"));
  EXPECT_FALSE(sameProgram("x = __LINE__;", "\nx = __LINE__;"));
}

TEST(HeddleComment, OnlyThoseThatBeginWithTheName) {
  EXPECT_EQ(heddleComment("// heddle: ignore[race] why"), "ignore[race] why");
  EXPECT_EQ(heddleComment("/*heddle:harness f()*/"), "harness f()");
  EXPECT_EQ(heddleComment("// see heddle: no"), "");
  EXPECT_EQ(heddleComment("//"), "");
}

}  // namespace
}  // namespace heddle
