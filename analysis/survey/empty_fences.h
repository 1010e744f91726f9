// EmptyFences: a store, a fence that by its name orders it before what follows, and a load of other data. On
// a machine that keeps the order of all but these (x86: Intel SDM, volume 3, 8.2.3.4) a fence that is empty
// there lets the load pass the store.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

class EmptyFences {
 public:
  explicit EmptyFences(clang::ASTContext& context) : context_(context) {}

  /// `function` has a body in the file.
  void add(const clang::FunctionDecl& function, Survey& survey) const;

 private:
  clang::ASTContext& context_;
};

}  // namespace heddle
