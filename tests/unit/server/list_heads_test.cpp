// Heads of lists in made-up objects: a list that leads to itself is empty, and behind it the rest is reached;
// a ring.
#include <gtest/gtest.h>

#include "tests/unit/server/harness_plan.h"

namespace heddle::testing {
namespace {

/// What is shown of `finish` where the object's list is one of the type, and `test` is in front of the use.
std::vector<std::string> shownOfHead(const std::string& type, const std::string& next,
                                     const std::string& test) {
  const std::string text = "#include <stddef.h>\n" + type +
                           "struct stream { int fd; queue pending; int *left; };\n"
                           "int first_left(struct stream *s) { return s->left ? *s->left : 0; }\n"
                           "int finish(struct stream *s) {\n  int n = 0;\n"
                           "  for (void *q = " +
                           next + "; q != (void *)&s->pending; q = *(void **)q) ++n;\n" + test +
                           "  return n + *s->left;\n}\n";
  std::vector<std::string> found;
  for (const Finding& warning : exploredIn(text, "finish").warnings)
    found.push_back(std::to_string(warning.place.line) + " " + warning.message);
  return found;
}

TEST(ListHeads, AMadeUpListIsEmpty) {
  const std::string ring = "typedef struct queue { struct queue *next, *prev; } queue;\n";
  const std::string pair = "typedef void *queue[2];\n";
  const std::vector<std::string> wrong = {"8 null pointer dereference"};
  EXPECT_EQ(shownOfHead(ring, "s->pending.next", ""), wrong);
  EXPECT_EQ(shownOfHead(pair, "s->pending[0]", ""), wrong);
  const std::string test = "  if (!s->left) return n;\n";
  EXPECT_TRUE(shownOfHead(ring, "s->pending.next", test).empty());
  EXPECT_TRUE(shownOfHead(pair, "s->pending[0]", test).empty());
  // Two pointers that have no name as a pair are no list.
  const HarnessPlan plan =
      harnessesOf("struct call { void *args[2]; };\nint first(struct call *c) { return c->args[0] != 0; }\n");
  ASSERT_NE(harnessNamed(plan, "first"), nullptr);
  EXPECT_EQ(harnessNamed(plan, "first")->text.find("object->args"), std::string::npos);
}

/// Counts along the links of the names.
std::string ringOf(const std::string& first, const std::string& second, const std::string& test) {
  return "struct chunk { int n; int *left; struct { struct chunk *" + first + ", *" + second +
         "; } link; };\nint left_of(struct chunk *c) { return c->left ? *c->left : 0; }\n"
         "int count(struct chunk *c) {\n  int n = 1;\n  for (struct chunk *at = c->link." +
         first + "; at != c; at = at->link." + first + ") ++n;\n" + test + "  return n + *c->left;\n}\n";
}

TEST(ListHeads, LinksOfARingLeadToTheirObject) {
  const auto shown = [](const std::string& test) {
    std::string found;
    for (const Finding& warning : exploredIn(ringOf("qre_next", "qre_prev", test), "count").warnings)
      found += std::to_string(warning.place.line) + " " + warning.message + "\n";
    return found;
  };
  EXPECT_EQ(shown(""), "6 null pointer dereference\n");
  EXPECT_EQ(shown("  if (!c->left) return n;\n"), "");
  // Links of a tree end.
  const HarnessPlan tree = harnessesOf(ringOf("lower", "upper", ""));
  const GeneratedHarness* harness = harnessNamed(tree, "count");
  ASSERT_NE(harness, nullptr);
  EXPECT_NE(harness->text.find("link.lower"), std::string::npos);
  EXPECT_EQ(harness->text.find("link.lower = (void *)object"), std::string::npos) << harness->text;
}

}  // namespace
}  // namespace heddle::testing
