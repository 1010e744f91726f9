// Guesses from the text about ways that leave a variable without a value, and about differences that may lie
// below zero; each wrong text beside a right one.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

using Kind = ValueSlip::Kind;

std::string unsetOnWay(const std::string& body) {
  return slipsBehind(
      "struct s { int on, size; }; int make(int), get(void), more(int); void put(int), give(int *), "
      "fatal(void);\n"
      "#define TAKE(n, to) do { if (get()) break; to = make(n); } while (0)\n"
      "int use(int n, int k, struct s *s) {\n" +
          body + "\nreturn 0;\n}\n",
      {Kind::Unset}, 3);
}

TEST(UnsetWays, AWayOutThatSetsNothing) {
  const std::string rest = "\nfd = make(n);\nif (fd < 0) goto out;\nrc = 0;\nout:\nif (rc)\nput(fd);";
  EXPECT_EQ(unsetOnWay("int fd, rc = -1;\nif (n & 4) goto out;" + rest), "8 fd  2\n");
  EXPECT_EQ(unsetOnWay("int fd = -1, rc = -1;\nif (n & 4) goto out;" + rest), "");
  EXPECT_EQ(unsetOnWay("int fd, rc = 0;\nif (n & 4) goto out;" + rest), "") << "the way does not use it";
  EXPECT_EQ(unsetOnWay("int fd, rc = get();\nif (n & 4) goto out;" + rest), "")
      << "it says whether it is set";
  EXPECT_EQ(unsetOnWay("int fd, rc = -1;\nif (n & 4) { fatal(); goto out; }" + rest), "")
      << "it may not return";
}

TEST(UnsetWays, AFirstTurn) {
  const auto loop = [](const std::string& failed) {
    return "int flags, got;\ndo {\ngot = make(n);\nif (got == -1) {\nif (" + failed +
           " && more(flags)) return 1;\n} else {\nflags = 0;\nput(flags);\n}\n} while (got != -1);";
  };
  EXPECT_EQ(unsetOnWay(loop("(k & 4)")), "5 flags  4\n");
  EXPECT_EQ(unsetOnWay(loop("got != -1")), "");
}

TEST(UnsetWays, TestsThatHaveToDoWithIt) {
  EXPECT_EQ(unsetOnWay("int v;\nif (n & 4) v = 1;\nif (k & 4)\nput(v);"), "4 v  2\n");
  EXPECT_EQ(unsetOnWay("int v;\nif (n & 4) v = 1;\nif (n & 6)\nput(v);"), "");
  EXPECT_EQ(unsetOnWay("int v;\nif (n > 4) v = 1;\nif (n > 3)\nput(v);"), "4 v  2\n") << "it is 4";
  EXPECT_EQ(unsetOnWay("int v;\nif (n > 4) v = 1;\nif (n > 5)\nput(v);"), "");
  EXPECT_EQ(unsetOnWay("int v, ok = n & 4;\nif (ok) v = 1;\nif (n & 4)\nput(v);"), "") << "both are of one";
  EXPECT_EQ(unsetOnWay("int v;\nif (n & 4) { v = 1; k = 2; }\nif (k & 2)\nput(v);"), "") << "set together";
  EXPECT_EQ(unsetOnWay("int v, is = 0;\nif (n & 4) { v = 1; is = 1; }\nif (is)\nput(v);"), "");
  EXPECT_EQ(unsetOnWay("int v;\nif (s->on) v = 1;\nif (s->size)\nput(v);"), "") << "of the same object";
  EXPECT_EQ(unsetOnWay("int v;\nfor (n = 0; n < 4; n++) v = n;\nif (k)\nput(v);"), "") << "the loop runs";
  EXPECT_EQ(unsetOnWay("int v;\nfor (n = 0; n < k; n++) if (n & 2) { v = n; break; }\nif (s)\nput(v);"), "");
  EXPECT_EQ(unsetOnWay("int v;\nif (n & 4) give(&v);\nif (k & 4)\nput(v);"), "4 v  2\n");
  EXPECT_EQ(unsetOnWay("int v;\nswitch (n) { case 1: v = 1; break; case 2: v = 2; break; }\nif (k)\nput(v);"),
            "");
}

TEST(UnsetWays, ALongFunction) {
  std::string text = "int v;\nif (n & 4) v = 1;\n";
  for (int i = 0; i < 300; ++i) text += "if (k > " + std::to_string(i) + ") put(n);\n";
  EXPECT_EQ(unsetOnWay(text + "if (k & 4)\nput(v);"), "304 v  2\n");
}

TEST(UnsetWays, AMacroThatLeavesItsArgument) {
  EXPECT_EQ(unsetOnWay("int v;\nTAKE(n, v);\nput(v);"), "3 v  2\n");
  EXPECT_EQ(unsetOnWay("int v = 0;\nTAKE(n, v);\nput(v);"), "");
}

std::string wrapped(const std::string& body, const std::string& before = "") {
  return slipsBehind(
      "typedef unsigned long size_t; char *fgets(char *, int, void *); size_t strlen(const char *); void "
      "*memcpy(void *, const void *, size_t); int starts(const char *, size_t), get(void); size_t "
      "decode(const "
      "char *, size_t *); struct s { int list[8]; }; " +
          before + "int use(char *to, const char *line, size_t len, int w, int n, struct s *s) {\n" + body +
          "\nreturn 0;\n}\n",
      {Kind::Wrapped, Kind::LowIndex, Kind::WrappedSize}, 1);
}

TEST(WrappedDifferences, ALengthThatASiblingTests) {
  const std::string sibling =
      "int other(const char *line, size_t len) { if (!len) return 1; return line[len - 1]; }";
  EXPECT_EQ(wrapped("if (starts(line, len)) return 1;\nlen -= 3;\nif (line[len - 1] == 10) len--;", sibling),
            "3 len - 1 other 2\n");
  EXPECT_EQ(wrapped("if (len < 4) return 1;\nlen -= 3;\nif (line[len - 1] == 10) len--;", sibling), "");
  EXPECT_EQ(wrapped("len -= 3;\nif (len && line[len - 1] == 10) len--;", sibling), "");
  EXPECT_EQ(wrapped("n = line[len - 1];", sibling), "1 len - 1 other\n");
  EXPECT_EQ(wrapped("n = line[len - 1];"), "") << "the callers may know";
  EXPECT_EQ(wrapped("if (len <= (size_t)n) return 1;\nlen -= 3;\nreturn line[len - 1];", sibling), "")
      << "in another way";
  EXPECT_EQ(wrapped("len += 3;\nif (line[len - 1] == 10) len--;", sibling), "");
  EXPECT_EQ(wrapped("if (len > (size_t)-1 / 2) return 1;\nif (len > 9223372036854775807) return 1;\n"
                    "len -= 3;\nreturn line[len - 1];",
                    sibling),
            "")
      << "numbers that are no lengths";
}

TEST(WrappedDifferences, AStringThatMayBeEmpty) {
  EXPECT_EQ(wrapped("return line[strlen(line) - 1] == '/';"), "1 strlen(line) - 1 \n");
  EXPECT_EQ(wrapped("len = strlen(line);\nreturn line[len - 1] == '/';"), "2 len - 1 \n");
  EXPECT_EQ(wrapped("if (!*line) return 1;\nreturn line[strlen(line) - 1] == '/';"), "");
  EXPECT_EQ(wrapped("len = strlen(line);\nreturn len && line[len - 1] == '/';"), "");
  EXPECT_EQ(wrapped("if (!fgets(to, 80, 0)) return 1;\nto[strlen(to) - 1] = 0;"), "") << "it is filled";
  EXPECT_EQ(wrapped("if (starts(line, 1)) return 1;\nreturn line[strlen(line) - 1];"), "")
      << "that one knows";
  EXPECT_EQ(wrapped("", "static int own(const char *line) { return line[strlen(line) - 1]; } "), "")
      << "its callers may know";
  EXPECT_EQ(wrapped("", "int all(const char **line) { return line[1][strlen(line[1]) - 1]; } "), "");
}

TEST(WrappedDifferences, AnIndexThatBeginsBelow) {
  const std::string body = "for (; i < 8; i++)\nn += s->list[i];";
  EXPECT_EQ(wrapped("int i = 8 - w * 2 + 2;\n" + body), "3 i  1\n");
  EXPECT_EQ(wrapped("if (w > 4) w = 4;\nint i = 8 - w * 2 + 2;\n" + body), "");
  EXPECT_EQ(wrapped("int i = 8 - w * 2 + 2;\nif (i < 0) i = 0;\n" + body), "");
  EXPECT_EQ(wrapped("int i = 8 - 2;\n" + body), "");
  EXPECT_EQ(wrapped("int i = 8 - w * 2 + 2;\nfor (; i < 8; i++)\nn += line[i];"), "")
      << "the pointer may lead into the middle";
}

TEST(WrappedDifferences, TwoLengthsThatNothingCompares) {
  const std::string body = "size_t less = decode(line, &len), all = strlen(line), rest = all - less;\n";
  EXPECT_EQ(wrapped(body + "memcpy(to, line, rest);"), "2 all - less memcpy 1\n");
  EXPECT_EQ(wrapped(body + "if (less > all) return 1;\nmemcpy(to, line, rest);"), "");
  EXPECT_EQ(wrapped(body + "if (rest > 8) return 1;\nmemcpy(to, line, rest);"), "");
  EXPECT_EQ(wrapped(body + "memcpy(to, line + less, rest);"), "") << "it goes on behind it";
}

}  // namespace
}  // namespace heddle::testing
