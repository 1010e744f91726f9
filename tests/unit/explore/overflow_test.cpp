// Signed overflow, on request.
#include <gtest/gtest.h>

#include "tests/unit/explore/explored.h"

namespace heddle::test {
namespace {

Report checkedForOverflow(const std::string& text, std::set<Property> properties = {Property::Overflow}) {
  Options options;
  options.properties = std::move(properties);
  return check("#include <limits.h>\n" + text, options, 1'000'000);
}

std::string withInput(const std::string& body) {
  return "int main(void) {\n  int n = heddle_input_int(), m = heddle_input_int();\n  " + body +
         "\n  return n + 0 * m == 3;\n}\n";
}

TEST(Overflow, EveryOperationOnAnInputIsAsked) {
  const std::pair<const char*, const char*> wrong[] = {
      {"n = n + 1;", "addition"},
      {"n -= 1;", "subtraction"},
      {"n++;", "addition"},
      {"n = n * m;", "multiplication"},
      {"n = -n;", "negation"},
      {"if (m) n = n / m;", "division"},
      {"if (m) n = n % m;", "division"},
      {"long l = n; n = (int)(l << 31) + m;", "addition"},
  };
  for (const auto& [body, operation] : wrong) {
    const Report report =
        checkedForOverflow(withInput("heddle_assume(n > -100000 || n < -100000); " + std::string(body)));
    ASSERT_EQ(report.verdict, Verdict::Violated) << body << report.problem;
    EXPECT_EQ(report.findings.front().kind, Property::Overflow);
    EXPECT_NE(report.findings.front().message.find(operation), std::string::npos)
        << report.findings.front().message;
    EXPECT_EQ(report.findings.front().place.line, 9u) << body;
  }
}

TEST(Overflow, WhatCannotOverflowIsVerified) {
  const char* const right[] = {
      "if (n < INT_MAX) n = n + 1; else n = 0;",
      "unsigned u = (unsigned)n + (unsigned)m; n = (int)(u & 5);",
      "short s = (short)n; s++; n = s;",
      "heddle_assume(n > -40 && n < 40); n = n * 50; n = 0;",
      "if (n > 0) n = -n; n = 0;",
  };
  for (const char* body : right) {
    const Report report =
        checkedForOverflow(withInput(std::string(body) + " if (n == INT_MAX) n = 0; m = 0;"));
    EXPECT_EQ(report.verdict, Verdict::Verified) << body << report.problem;
  }
}

TEST(Overflow, ThreadsTogetherOverflowWhatOneAloneCannot) {
  const std::string text =
      "int c = INT_MAX - 1; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "void *add(void *p) { pthread_mutex_lock(&m); if (c < INT_MAX) c++; pthread_mutex_unlock(&m); return "
      "p; }\n"
      "void *blind(void *p) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); return p; }\n";
  const auto two = [&](const char* f) {
    return text + "int main(void) { pthread_t a, b; pthread_create(&a, 0, add, 0); pthread_create(&b, 0, " +
           f + ", 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
  };
  EXPECT_EQ(checkedForOverflow(two("add")).verdict, Verdict::Verified);
  EXPECT_EQ(checkedForOverflow(two("blind")).verdict, Verdict::Violated);
}

TEST(Overflow, TheFirstConstantOfAFunctionIsAnOperandLikeAnyOther) {
  const std::string text =
      "double seven(void) { return 7; } double four(void) { return seven() - 3.0; }\n"
      "int main(void) { assert(four() == 4.0); return heddle_input_int() + 1; }\n";
  const Report report = checkedForOverflow(text, {Property::Assert, Property::Overflow});
  EXPECT_EQ(report.properties.at(Property::Assert), Verdict::Verified);
  EXPECT_EQ(report.properties.at(Property::Overflow), Verdict::Violated);
}

TEST(Overflow, IsLeftToWrapWhenNotAskedFor) {
  const std::string text = "int main(void) { int n = INT_MAX; n++; assert(n == INT_MIN); return 0; }\n";
  EXPECT_EQ(checkedForOverflow(text, {Property::Assert, Property::Memory}).verdict, Verdict::Verified);
  EXPECT_EQ(checkedForOverflow(text).verdict, Verdict::Violated);
}

}  // namespace
}  // namespace heddle::test
