// PassedBounds: checks of an index that let through the number of elements itself, or one more: `if (n > 8)
// return;` in front of `list[n]`, a text that is filled up to its last byte and then ended, a mask that is as
// large as the array is long. Only the bound that the text gives the index counts: a variable that is
// compared with other variables may be known to be smaller.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <map>

#include "analysis/survey/function_flows.h"
#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace heddle {

class PassedBounds {
 public:
  /// The flows must outlive it.
  explicit PassedBounds(FunctionFlows& flows) : flows_(flows), context_(flows.context()) {}
  /// `function` has a body.
  void add(const clang::FunctionDecl& function, Survey& survey);
  void finish(Survey&) {}

  /// Elements of the arrays that a pointer begins as; 0: of different ones, or of something else.
  using Sizes = std::map<const clang::VarDecl*, uint64_t>;

 private:
  void addCalls();
  void addCalls(const clang::Stmt& part, const Sizes& locals);
  void addCall(const clang::CallExpr& call, const Sizes& locals);

  FunctionFlows& flows_;
  clang::ASTContext& context_;
  bool knowsCalls_ = false;
  Sizes given_;  // to parameters of the file's own functions
};

}  // namespace heddle
