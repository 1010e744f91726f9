#include "analysis/explore/states/state_table.h"

#include <gtest/gtest.h>

#include <map>

namespace heddle {
namespace {

TEST(StateTableTest, FindsWhatAMapFindsThroughCollisionsAndGrowth) {
  StateTable table;
  std::map<StateKey, uint32_t> known;
  for (int round = 0; round < 2; ++round) {
    for (uint64_t i = 0; i < 10'000; ++i) {
      StateKey key;
      key.low = i % 97;                        // few places
      key.high = (i % 53) << 32 | (i % 3000);  // few tags, and tags that are equal where keys are not
      const auto [expected, isNew] = known.try_emplace(key, static_cast<uint32_t>(known.size()));
      EXPECT_EQ(table.find(key), isNew ? std::nullopt : std::optional(expected->second));
      EXPECT_EQ(table.insert(key), std::pair(expected->second, isNew));
    }
    EXPECT_EQ(table.size(), known.size());
    table.clear();
    known.clear();
    EXPECT_EQ(table.size(), 0u);
  }
}

}  // namespace
}  // namespace heddle
