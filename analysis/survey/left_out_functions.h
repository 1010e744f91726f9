// LeftOutFunctions: functions of a file that do not compile and whose ways can be told all the same. Clang
// has trees of them, with statements missing that it could not make sense of. A function is taken here only
// where nothing is missing that decides where it goes on, or what it does to a lock.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <set>

#include "analysis/compile/partial_unit.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

class LeftOutFunctions {
 public:
  /// Gives the functions of the main file that are taken their bodies back, so that who calls them sees what
  /// they do; code must not be made from the tree any more.
  LeftOutFunctions(clang::ASTContext& context, const PartialUnit& partial);

  bool contains(const clang::FunctionDecl& function) const { return taken_.contains(&function); }

 private:
  std::set<const clang::FunctionDecl*> taken_;
};

}  // namespace heddle
