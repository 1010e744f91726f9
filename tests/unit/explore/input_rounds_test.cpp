#include "analysis/explore/forest/input_rounds.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

/// A thread that takes an input at the head of a loop. Where it is 0, the round ends.
class InputRoundsTest : public testing::Test {
 protected:
  InputRoundsTest() {
    start_ = add(kNone, 0, NodeKind::Event);
    input_ = add(start_, 0, NodeKind::Input);
    branch_ = add(input_, 0, NodeKind::Branch);
    forest_.at(branch_).sides = {0, 1};
    forest_.addAwait({1, branch_, 0, {}, {}, GoesRound::TakesInputs, start_, 0});
  }
  NodeId add(NodeId parent, uint64_t slot, NodeKind kind, EventKind event = EventKind::Start) {
    Node node;
    node.thread = 1;
    node.kind = kind;
    node.event = event;
    node.parent = parent;
    node.slot = slot;
    return forest_.add(std::move(node));
  }
  std::vector<uint64_t> exits() {
    std::vector<uint64_t> slots;
    for (const InputRounds& rounds : inputRounds(forest_))
      for (const InputRounds::Way& way : rounds.ways)
        if (way.to == kNone) slots.push_back(way.slot);
    return slots;
  }

  Forest forest_;
  NodeId start_ = kNone, input_ = kNone, branch_ = kNone;
};

TEST_F(InputRoundsTest, AWayThatDoesNotComeBackIsAnExit) {
  add(branch_, 1, NodeKind::Event, EventKind::End);
  EXPECT_EQ(exits(), (std::vector<uint64_t>{1}));
}

TEST_F(InputRoundsTest, AWayThatABoundCutsIsAnExit) {
  EXPECT_EQ(exits(), (std::vector<uint64_t>{1}));
}

TEST_F(InputRoundsTest, AnotherRoundIsNone) {
  forest_.addAwait({1, branch_, 1, {}, {}, GoesRound::TakesInputs, start_, 0});
  EXPECT_EQ(inputRounds(forest_).size(), 1u);
  EXPECT_TRUE(exits().empty());
}

TEST_F(InputRoundsTest, AWayToTheHeadOfALoopAroundIsAnExit) {
  const NodeId outer = start_;
  const NodeId head = add(branch_, 1, NodeKind::Event, EventKind::Read);
  const NodeId inner = add(add(head, 0, NodeKind::Input), 0, NodeKind::Branch);
  forest_.at(inner).sides = {0, 1};
  forest_.addAwait({1, inner, 0, {}, {}, GoesRound::TakesInputs, head, 0});
  forest_.addAwait({1, inner, 1, {}, {}, GoesRound::TakesInputs, outer, 0});
  for (const InputRounds& rounds : inputRounds(forest_)) {
    size_t exits = 0;
    for (const InputRounds::Way& way : rounds.ways) exits += way.to == kNone;
    EXPECT_EQ(exits, rounds.head == head ? 1u : 0u);
  }
}

TEST_F(InputRoundsTest, AMutexThatTheRoundGivesUpLeavesTheLoopOut) {
  const NodeId unlock = add(branch_, 1, NodeKind::Event, EventKind::Unlock);
  forest_.at(unlock).acquire = start_;
  EXPECT_EQ(inputRounds(forest_).size(), 1u);
  forest_.addAwait({1, unlock, 0, {}, {}, GoesRound::TakesInputs, start_, 0});
  EXPECT_TRUE(inputRounds(forest_).empty());
}

TEST_F(InputRoundsTest, AVariableOfTheWorldOutsideLeavesTheLoopOut) {
  forest_.addAwait({1, branch_, 1, {}, {}, GoesRound::MayLeave, start_, 0});
  EXPECT_TRUE(inputRounds(forest_).empty());
}

}  // namespace
}  // namespace heddle
