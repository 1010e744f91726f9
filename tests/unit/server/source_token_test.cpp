#include "server/convert/source_token.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle {
namespace {

std::string token(const std::string& text, size_t offset) {
  const ByteRange range = tokenAt(text, offset);
  return text.substr(range.begin, range.end - range.begin);
}

TEST(SourceToken, WordsOperatorsAndLiterals) {
  const std::string text = "  assert(x <= 100 && p->q == \"a\\\"b\");";
  EXPECT_EQ(token(text, 2), "assert");
  EXPECT_EQ(token(text, 5), "assert");
  EXPECT_EQ(token(text, text.find("<=")), "<=");
  EXPECT_EQ(token(text, text.find("100")), "100");
  EXPECT_EQ(token(text, text.find("->")), "->");
  EXPECT_EQ(token(text, text.find('"')), "\"a\\\"b\"");
  EXPECT_EQ(token(text, text.size() - 1), ";");
}

TEST(SourceToken, OperatorsThatWriteComeWithTheirOperand) {
  const auto at = [](const std::string& text, const std::string& op) { return token(text, text.find(op)); };
  EXPECT_EQ(at("  x = 2;", "="), "x =");
  EXPECT_EQ(at("x++;", "++"), "x++");
  EXPECT_EQ(at("{ a->b[i + 1].c += 3; }", "+="), "a->b[i + 1].c +=");
  EXPECT_EQ(at("a[x]\n[y] = 1;", "="), "[y] =");
  EXPECT_EQ(at("if (x == 2)", "=="), "==");
  EXPECT_EQ(at("++x;", "++"), "++");
  EXPECT_EQ(at("f(a) = 1;", "="), "=");
  EXPECT_EQ(at("]= 1;", "="), "=");
  EXPECT_EQ(at("= 1;", "="), "=");
}

TEST(SourceToken, WhiteSpaceAndLineEnds) {
  EXPECT_EQ(token("int  x;\n", 3), "x");
  EXPECT_EQ(token("int x ;  \nint y;", 8), ";");
  EXPECT_EQ(token("a\n\nb", 2), "\n");
  EXPECT_EQ(token("a", 99), "a");
  EXPECT_EQ(token("", 0), "");
  EXPECT_EQ(token("\"open", 0), "\"open");
  EXPECT_EQ(token("\"open\\", 0), "\"open\\");
}

}  // namespace
}  // namespace heddle
