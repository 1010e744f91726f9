#include "analysis/explore/states/state_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>

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

TEST(StateTableTest, OthersFindWhatIsInsertedWhereThereIsRoom) {
  constexpr uint32_t kStates = 20'000;
  const auto keyOf = [](uint64_t i) {
    StateKey key;
    key.add(i % 7'000);
    key.low &= 0xFFFF;  // many in one place
    key.high += i / 7'000;
    return key;
  };
  StateTable table;
  std::atomic<bool> isDone = false;
  std::atomic<uint32_t> wrong = 0;
  table.makeRoom(kStates);
  std::jthread other([&] {
    for (bool isLast = false; !isLast;) {
      isLast = isDone;
      for (uint32_t i = 0; i < kStates; i += 101) {
        const auto number = table.find(keyOf(i));
        wrong += number ? *number != i : isLast;
      }
    }
  });
  for (uint32_t i = 0; i < kStates; ++i) EXPECT_EQ(table.insert(keyOf(i)), std::pair(i, true));
  isDone = true;
  other.join();
  EXPECT_EQ(0u, wrong);
}

}  // namespace
}  // namespace heddle
