// The text of a file for one harness: without the bodies that nobody needs, and with all else where it was.
#include "server/source/needed_bodies.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

std::string reduced(const Snapshot& snapshot, const std::string& harness) {
  return NeededBodies(surveyOf(snapshot), snapshot).textFor(harness);
}

TEST(NeededBodies, LinesAndDirectivesStay) {
  const Snapshot snapshot = harnessSnapshot(
      "static int far(int n) { return n + 1; }\n"
      "static int old(int n) { return n; }\n"
      "static int near(int n) { return n; }\n"
      "int unneeded(int n) {\n"
      "#define MOST 3\n"
      "  return far(n) /* } */ + '}';\n"
      "#if MOST < 2\n"
      "  return 0;\n"
      "#endif\n"
      "}\n"
      "int called(int n) { return near(n) < MOST; }\n"
      "int other(n) int n; { return old(n); }\n");
  EXPECT_EQ(reduced(snapshot, "int main(void) { called(1); }"),
            "static int far(int n) ;                \n"
            "static int old(int n) { return n; }\n"
            "static int near(int n) { return n; }\n"
            "int unneeded(int n) ;\n"
            "#define MOST 3\n"
            "                              \n"
            "#if MOST < 2\n"
            "           \n"
            "#endif\n"
            " \n"
            "int called(int n) { return near(n) < MOST; }\n"
            "int other(n) int n; { return old(n); }\n");
}

TEST(NeededBodies, WhatOthersNameStays) {
  Snapshot snapshot = harnessSnapshot(
      "static int hook(int n) { return n; }\nint (*const table[])(int) = {hook};\n"
      "int asked(int n) { return n; }\nint unasked(int n) { return n; }\n"
      "__attribute__((constructor)) void before(void) { unasked(1); }\n"
      "static void end(int *n) { *n = 0; }\nint inner(int n) { return n; }\n"
      "int outer(int n) __attribute__((alias(\"inner\")));\n"
      "int parts(int n) {\n#include \"parts.inc\"\n}\n"
      "int called(void) { int n __attribute__((cleanup(end))) = 1; return n; }\n");
  snapshot.overlays["/harness/parts.inc"] = "return n;\n";
  snapshot.units = {{"/harness/other.c", "int asked(int); int use(void) { return asked(1); }", {}}};
  const std::string text = reduced(snapshot, "called();");
  EXPECT_NE(text.find("hook(int n) {"), std::string::npos);
  EXPECT_NE(text.find("asked(int n) {"), std::string::npos);
  EXPECT_NE(text.find("before(void) {"), std::string::npos);
  EXPECT_NE(text.find("unasked(int n) { return n; }"), std::string::npos) << "the constructor calls it";
  EXPECT_NE(text.find("end(int *n) {"), std::string::npos);
  EXPECT_NE(text.find("inner(int n) {"), std::string::npos);
  EXPECT_NE(text.find("parts(int n) {"), std::string::npos) << "its parts would stand alone";
}

TEST(NeededBodies, ACallAloneShowsTheSameWithoutTheOthers) {
  const std::string text =
      "static int index(int n) { return n & 3; }\nint unneeded(int n) { return index(n); }\n"
      "int get(int n) {\n  int t[3] = {0};\n  return t[index(n)];\n}\n";
  const Report report = exploredIn(text, "get");
  ASSERT_EQ(report.warnings.size(), 1u) << report.problem;
  EXPECT_EQ(report.warnings.front().place.line, 5u);
  ASSERT_TRUE(report.reach);
  EXPECT_TRUE(std::none_of(report.reach->unreached.begin(), report.reach->unreached.end(),
                           [](const Unreached& what) { return what.function == "unneeded"; }));
}

}  // namespace
}  // namespace heddle::testing
