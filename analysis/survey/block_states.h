// BlockStates: what is known in front of each block of a function, by following its ways until nothing
// changes.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "clang/Analysis/CFG.h"

namespace heddle {

/// Blocks are numbered from the exit: this is the order of the text.
struct FromEntry {
  bool operator()(const clang::CFGBlock* a, const clang::CFGBlock* b) const {
    return a->getBlockID() > b->getBlockID();
  }
};

/// Of blocks that are reached.
template <typename State>
using BlockStates = std::map<const clang::CFGBlock*, State, FromEntry>;

/// The same from the end of the text on.
template <typename Blocks>
class LastFirst {
 public:
  explicit LastFirst(Blocks& blocks) : blocks_(blocks) {}
  auto begin() const { return blocks_.rbegin(); }
  auto end() const { return blocks_.rend(); }

 private:
  Blocks& blocks_;
};

/// Which of the blocks in front of which something has changed is run next.
enum class BlockOrder : uint8_t {
  Text,   // the first one, so that those before it are done
  Newest  // the last one that was reached. For looks that tell something else in another order
};

struct FollowOptions {
  BlockOrder order = BlockOrder::Text;
  /// Of functions with more blocks, and of those that need more rounds through all blocks, nothing is known.
  size_t mostBlocks = 2000, mostRounds = 30;

  static FollowOptions withoutLimits(BlockOrder order = BlockOrder::Text) {
    constexpr uint32_t kNoLimit = std::numeric_limits<uint32_t>::max();
    return {order, kNoLimit, kNoLimit};
  }
};

/// Blocks in front of which something has changed.
class OpenBlocks {
 public:
  explicit OpenBlocks(BlockOrder order) : order_(order) {}

  bool isEmpty() const { return sorted_.empty() && newest_.empty(); }
  void add(const clang::CFGBlock& block) {
    if (order_ == BlockOrder::Text)
      sorted_.insert(&block);
    else
      newest_.push_back(&block);
  }
  const clang::CFGBlock& take() {
    if (order_ == BlockOrder::Text) return *sorted_.extract(sorted_.begin()).value();
    const clang::CFGBlock& block = *newest_.back();
    newest_.pop_back();
    return block;
  }

 private:
  const BlockOrder order_;
  std::set<const clang::CFGBlock*, FromEntry> sorted_;
  std::vector<const clang::CFGBlock*> newest_;  // a block may be in it several times
};

/// For states that are the same on all ways behind a block.
struct TakeAllWays {};

/// `run(block, state)` changes what is known by what the block does. `take(block, isFirst, state)` changes it
/// by the way that is taken behind the block, or tells that there is no such way (false). `join(into, from)`
/// tells whether `into` changes, which it must at some time not do any more. Empty: the function is too
/// large.
template <typename State, typename Run, typename Take, typename Join>
BlockStates<State> followBlocks(const clang::CFG& graph, State first, Run run, Take take, Join join,
                                FollowOptions options = {}) {
  BlockStates<State> before;
  if (graph.size() > options.mostBlocks) return before;
  OpenBlocks open(options.order);
  open.add(graph.getEntry());
  before.emplace(&graph.getEntry(), std::move(first));
  const auto reach = [&](const clang::CFGBlock* to, const State& state) {
    const auto [known, isNew] = before.try_emplace(to, state);
    if (isNew || join(known->second, state)) open.add(*to);
  };
  for (size_t steps = options.mostRounds * graph.size(); !open.isEmpty(); --steps) {
    if (steps == 0) return {};
    const clang::CFGBlock& block = open.take();
    State state = before.at(&block);
    run(block, state);
    if (block.hasNoReturnElement()) continue;
    bool isFirst = true;
    for (const clang::CFGBlock::AdjacentBlock& next : block.succs()) {
      const clang::CFGBlock* to = next.getReachableBlock();
      const bool isOfFirst = std::exchange(isFirst, false);
      if (!to) continue;
      if constexpr (std::is_same_v<Take, TakeAllWays>) {
        reach(to, state);
      } else {
        State side = state;
        if (take(block, isOfFirst, side)) reach(to, side);
      }
    }
  }
  return before;
}

}  // namespace heddle
