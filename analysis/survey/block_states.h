// BlockStates: what is known in front of each block of a function, by following its ways until nothing
// changes.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "clang/Analysis/CFG.h"

namespace heddle {

/// Blocks are numbered from the exit: this is the order of the text.
struct FromEntry {
  bool operator()(const clang::CFGBlock* a, const clang::CFGBlock* b) const {
    return a->getBlockID() > b->getBlockID();
  }
};

template <typename State>
using BlockStates = std::map<const clang::CFGBlock*, State, FromEntry>;

/// `run(block, state)` changes what is known by what the block does, `take(block, isFirst, state)` by the way
/// that is taken behind it, and `join(into, from)` tells whether `into` changes, which it must at some time
/// not do any more. Empty: the function is too large.
template <typename State, typename Run, typename Take, typename Join>
BlockStates<State> followBlocks(const clang::CFG& graph, State first, Run run, Take take, Join join) {
  constexpr size_t kMostBlocks = 2000, kMostRounds = 30;
  BlockStates<State> before;
  if (graph.size() > kMostBlocks) return before;
  std::set<const clang::CFGBlock*, FromEntry> open = {&graph.getEntry()};
  before.emplace(&graph.getEntry(), std::move(first));
  for (size_t steps = kMostRounds * graph.size(); !open.empty(); --steps) {
    if (steps == 0) return {};
    const clang::CFGBlock* block = *open.begin();
    open.erase(open.begin());
    State state = before.at(block);
    run(*block, state);
    if (block->hasNoReturnElement()) continue;
    bool isFirst = true;
    for (const clang::CFGBlock::AdjacentBlock& next : block->succs()) {
      const clang::CFGBlock* to = next.getReachableBlock();
      const bool isOfFirst = std::exchange(isFirst, false);
      if (!to) continue;
      State side = state;
      take(*block, isOfFirst, side);
      const auto [known, isNew] = before.try_emplace(to, side);
      if (isNew || join(known->second, side)) open.insert(to);
    }
  }
  return before;
}

}  // namespace heddle
