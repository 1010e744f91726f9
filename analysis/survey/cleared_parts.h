// ClearedParts: memset of one element where the function makes many: `memset(list, 0, sizeof(struct item))`
// beside a size of `n * sizeof(struct item)`.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

class ClearedParts {
 public:
  /// The context must outlive it.
  explicit ClearedParts(clang::ASTContext& context) : context_(context) {}
  /// `function` has a body.
  void add(const clang::FunctionDecl& function, Survey& survey);

 private:
  clang::ASTContext& context_;
};

}  // namespace heddle
