// SplitSections: data that is tested under a lock and set under the same lock taken again, with no further
// test of it: between the two, another thread may have set it.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"

namespace heddle {

class SplitSections {
 public:
  explicit SplitSections(clang::ASTContext& context) : context_(context) {}

  /// `function` has a body in the file.
  void add(const clang::FunctionDecl& function, Survey& survey) const;

 private:
  clang::ASTContext& context_;
};

}  // namespace heddle
