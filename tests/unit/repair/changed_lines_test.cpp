// Lines that a patch does not change stay as they are, whatever the .clang-format of their folder thinks of
// them.
#include "analysis/repair/changed_lines.h"

#include "tests/unit/repair/repaired.h"

namespace heddle::testing {
namespace {

std::string changed(const std::string& text, const std::vector<ByteEdit>& edits) {
  return formattedChange(snapshotOf(text, {{".clang-format", "BasedOnStyle: LLVM\nIndentWidth: 4\n"}}),
                         "/repair-test/a.c", text, edits);
}

TEST(ChangedLines, AreFormattedAndTheirNeighboursAreNot) {
  const std::string text = "void f( int x ) {\n  g(x) ;\n   h( x );   // odd\n}\n";
  const size_t at = text.find("   h( x )");
  EXPECT_EQ(changed(text, {{at, at, "  k( x ) ;\n"}}),
            "void f( int x ) {\n  g(x) ;\n  k(x);\n   h( x );   // odd\n}\n");
}

TEST(ChangedLines, ALineThatGetsABraceIsOneOfThem) {
  const std::string text = "void f(int x) {\n    if (x)\n        g( x );\n    h( x );\n}\n";
  const size_t head = text.find("if (x)") + 6, end = text.find(";\n    h") + 1;
  const std::string after = changed(text, {{head, head, "  {\n lock( );"}, {end, end, "\n unlock( );\n }"}});
  EXPECT_EQ(after,
            "void f(int x) {\n    if (x) {\n        lock();\n        g( x );\n        unlock();\n    }\n    "
            "h( x );\n}\n");
}

TEST(ChangedLines, WithoutAStyleStayAsWritten) {
  const std::string text = "int x;\n";
  EXPECT_EQ(formattedChange(snapshotOf(text), "/repair-test/a.c", text, {{0, 0, "int   y ;\n"}}),
            "int   y ;\nint x;\n");
}

}  // namespace
}  // namespace heddle::testing
