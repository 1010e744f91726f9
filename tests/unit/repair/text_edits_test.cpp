#include "analysis/repair/text_edits.h"

#include <gtest/gtest.h>

#include <random>

namespace heddle {
namespace {

TEST(TextEdits, InsertionsAtOnePlaceKeepTheirOrder) {
  TextEdits edits;
  edits.insert("a", 1, "x");
  edits.insert("a", 1, "y");
  edits.replace("a", 1, 2, "z");
  bool conflict = false;
  EXPECT_EQ(applied("abc", edits.sorted(conflict).at("a")), "axyzc");
  EXPECT_FALSE(conflict);
  edits.replace("a", 0, 2, "");
  (void)edits.sorted(conflict);
  EXPECT_TRUE(conflict);
}

TEST(TextEdits, TheDifferenceOfTwoTextsMakesOneOfTheOther) {
  std::mt19937 random(7);
  const auto text = [&] {
    std::string out;
    const size_t lines = random() % 9;
    for (size_t i = 0; i < lines; ++i) out += std::string(1, static_cast<char>('a' + random() % 3)) + "\n";
    if (random() % 3 == 0) out += "end";
    return out;
  };
  for (int round = 0; round < 2000; ++round) {
    const std::string before = text(), after = text();
    EXPECT_EQ(applied(before, "a", editsBetween("a", before, after)), after) << before << "---\n" << after;
  }
}

TEST(TextEdits, TheDifferenceIsSmall) {
  const auto hunks = lineDifference("a\nb\nc\nd\ne\n", "a\nb\nx\nc\nd\n");
  ASSERT_EQ(hunks.size(), 2u);
  EXPECT_EQ(hunks[0], (LineHunk{2, 2, 2, 3}));
  EXPECT_EQ(hunks[1], (LineHunk{4, 5, 5, 5}));
}

}  // namespace
}  // namespace heddle
