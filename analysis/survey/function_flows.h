// FunctionFlows: what all looks at one file have in common of its functions: the graph of each, and what
// Clang sees read in it without a value. It is made when the first look asks for it, once, and lives as long
// as this.
//
// Every expression has an element of its own in the graph, and ways that constants close are not taken.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Analysis/Analyses/UninitializedValues.h"
#include "clang/Analysis/AnalysisDeclContext.h"
#include "clang/Analysis/CFG.h"

namespace heddle {

class FunctionFlows {
 public:
  /// The context must outlive it.
  explicit FunctionFlows(clang::ASTContext& context) : context_(context) {}

  clang::ASTContext& context() const { return context_; }
  /// Of a function with a body. Null: Clang makes no graph of it. All looks share it, so nobody changes it.
  clang::CFG* graphOf(const clang::FunctionDecl& function);

  /// A variable, and where it may be read without a value.
  using UnsetRead = std::pair<const clang::VarDecl*, clang::UninitUse>;
  /// Of a function with a body, in the order in which Clang tells them. Without a graph there are none.
  const std::vector<UnsetRead>& unsetReadsOf(const clang::FunctionDecl& function);

 private:
  struct Flow {
    std::unique_ptr<clang::AnalysisDeclContext> analysis;  // owns the graph
    std::optional<std::vector<UnsetRead>> unsetReads;
  };
  Flow& flowOf(const clang::FunctionDecl& function);

  clang::ASTContext& context_;
  std::map<const clang::FunctionDecl*, Flow> flows_;
};

}  // namespace heddle
