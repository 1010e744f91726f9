// NullParameters: which pointers that a function is given are null wherever a way comes to a place. What the
// function does to an object, it does on the other ways only.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <set>

#include "analysis/survey/block_states.h"
#include "clang/AST/ASTContext.h"
#include "clang/Analysis/CFG.h"

namespace heddle {

class NullParameters {
 public:
  /// Parameters that are assigned anywhere count as never null.
  NullParameters(clang::ASTContext& context, const clang::CFG& graph);

  /// Indices of those that are null at the block's beginning, on all ways to it.
  const std::set<int>& at(const clang::CFGBlock& block) const;

 private:
  std::set<int> assigned_;
  BlockStates<std::set<int>> at_;
};

}  // namespace heddle
