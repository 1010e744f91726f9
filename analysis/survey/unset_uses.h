// UnsetUses: reads of local variables that may have no value, by Clang's analysis, without those that are
// told of it elsewhere.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "analysis/survey/function_flows.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Analysis/Analyses/UninitializedValues.h"

namespace heddle {

class UnsetUses {
 public:
  explicit UnsetUses(const std::vector<FunctionFlows::UnsetRead>& reads) {
    for (const auto& [variable, use] : reads) add(*variable, use);
  }

  struct MacroUse {
    const clang::VarDecl* variable;
    const clang::Expr* user;
    const clang::Stmt* terminator;
  };
  using Use = std::pair<const clang::VarDecl*, const clang::Expr*>;

  const std::vector<Use>& uses() const { return uses_; }
  const std::vector<MacroUse>& macroUses() const { return macroUses_; }
  bool isTold(const clang::VarDecl& variable) const { return told_.contains(&variable); }

 private:
  void add(const clang::VarDecl& variable, const clang::UninitUse& use) {
    switch (use.getKind()) {
      case clang::UninitUse::Maybe:
        uses_.emplace_back(&variable, use.getUser());
        return;
      case clang::UninitUse::Sometimes:
        for (auto branch = use.branch_begin(); branch != use.branch_end(); ++branch)
          addBranch(variable, *use.getUser(), *branch);
        return;
      default:
        told_.insert(&variable);
    }
  }

  void addBranch(const clang::VarDecl& variable, const clang::Expr& user,
                 const clang::UninitUse::Branch& branch) {
    if (!llvm::isa<clang::IfStmt, clang::BinaryOperator>(branch.Terminator)) return;
    if (branch.Terminator->getBeginLoc().isMacroID())
      macroUses_.push_back({&variable, &user, branch.Terminator});
    else
      told_.insert(&variable);
  }

  std::vector<Use> uses_;
  std::vector<MacroUse> macroUses_;
  std::set<const clang::VarDecl*> told_;
};

}  // namespace heddle
