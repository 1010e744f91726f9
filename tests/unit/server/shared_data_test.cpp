// Shared data in the text: its accesses, and which lock is held at how many of them.
#include "server/features/shared_data.h"

#include <gtest/gtest.h>

#include "server/features/hover.h"

namespace heddle {
namespace {

constexpr const char* kText =
    "static int total;\n"
    "void *add(void *p) {\n"
    "  lock(&m);\n"
    "  total += 1;\n"
    "  unlock(&m);\n"
    "  return p;\n"
    "}\n"
    "int main(void) {\n"
    "  int own = 0;\n"
    "  if (total > own) done();\n"
    "}\n";

SharedAccess access(uint32_t line, uint32_t column, AccessKind kind, const std::string& thread, bool locked) {
  SharedAccess made;
  made.access = {{"/p/a.c", line, column, thread}, kind, "total", thread};
  made.data = "total";
  made.concurrent = true;
  if (locked) made.held = {{"m", {}}};
  return made;
}

struct SharedDataText {
  PositionMap map{kText};
  std::map<std::string, std::shared_ptr<const PositionMap>> others;
  LocateContext context{"/p/a.c", map, others, PositionEncoding::Utf8};
  Report report;

  SharedDataText() {
    report.accesses = {access(4, 3, AccessKind::Read, "add", true),
                       access(4, 3, AccessKind::Write, "add", true),
                       access(10, 7, AccessKind::Read, "main", false)};
  }
  size_t offsetOf(const std::string& what) const { return map.text().find(what); }
};

TEST(SharedData, HighlightsItsAccesses) {
  const SharedDataText f;
  const auto data = sharedDataAt(f.report, f.offsetOf("total >") + 2, f.context);
  ASSERT_TRUE(data);
  EXPECT_EQ(data->data, "total");
  const auto highlights = highlightsOf(*data, f.context);
  ASSERT_EQ(highlights.size(), 2u) << "one range for the read and the write of one token";
  EXPECT_EQ(highlights[0].range.start.line, 3u);
  EXPECT_EQ(highlights[0].kind, lsp::DocumentHighlightKind::Write);
  EXPECT_EQ(highlights[1].range.start.line, 9u);
  EXPECT_EQ(highlights[1].kind, lsp::DocumentHighlightKind::Read);
}

TEST(SharedData, SaysWhatTheTextSaysAndWhoBreaksIt) {
  SharedDataText f;
  f.report.guards.found = {
      {"total", "total", {"/p/a.c", 1, 12, ""}, "m", true, {f.report.accesses.back().access}},
      {"total", "total", {"/p/a.c", 1, 12, ""}, "other", false, {}}};
  const auto lines = describeSharedData(*sharedDataAt(f.report, f.offsetOf("total >"), f.context));
  ASSERT_GE(lines.size(), 3u);
  EXPECT_EQ(lines[1], "line 1 says: guarded by 'm'");
  EXPECT_EQ(lines[2], "line 10, main, does not keep to that");
  for (const std::string& line : lines) EXPECT_EQ(line.find("other"), std::string::npos) << line;
}

TEST(SharedData, SaysWhichLockGuardsIt) {
  SharedDataText f;
  const auto data = sharedDataAt(f.report, f.offsetOf("total >"), f.context);
  ASSERT_TRUE(data);
  EXPECT_EQ(
      describeSharedData(*data),
      (std::vector<std::string>{"guarded by 'm' at 2 of 3 accesses that threads can make at the same time",
                                "line 4, read by add under 'm'", "line 4, written by add under 'm'",
                                "line 10, read by main without a lock"}));
  EXPECT_NE(hoverOf(*data, f.map, {PositionEncoding::Utf8, true}).contents.value.find("**total** is shared"),
            std::string::npos);
  for (SharedAccess& each : f.report.accesses) each.held.clear();
  EXPECT_EQ(describeSharedData(*sharedDataAt(f.report, f.offsetOf("total >"), f.context)).front(),
            "no lock is held at any of them");
}

TEST(SharedData, IsNoneWhereOneThreadUsesItOrNothingIsAccessed) {
  SharedDataText f;
  EXPECT_FALSE(sharedDataAt(f.report, f.offsetOf("own = 0"), f.context));
  f.report.accesses = {access(10, 7, AccessKind::Read, "main", false)};
  f.report.accesses[0].concurrent = false;
  EXPECT_FALSE(sharedDataAt(f.report, f.offsetOf("total >"), f.context));
}

}  // namespace
}  // namespace heddle
