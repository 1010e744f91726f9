// TestedPointers: which pointers a file compares with null. A pointer that it never compares is one that the
// file takes to point to something.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <set>
#include <string>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

class TestedPointers {
 public:
  explicit TestedPointers(clang::ASTContext& context) : context_(context) {}

  /// Looks at the body of a function.
  void add(const clang::Stmt& body);
  /// Members and global variables, named like data, and their elements, "[]" behind the name, and functions,
  /// "()" behind the name, whose results are, that are compared with null somewhere, or that a local variable
  /// which is so was set to.
  std::set<std::string> found() const;

 private:
  void collect(const clang::Stmt& part);
  void noteTest(const clang::Expr* condition);
  void noteValue(const clang::VarDecl* variable, const clang::Expr* value);

  clang::ASTContext& context_;
  std::set<std::string> tested_;
  std::set<const clang::VarDecl*> testedLocals_;                     // and parameters
  std::map<const clang::VarDecl*, std::set<std::string>> valuesOf_;  // data that local variables were set to
};

}  // namespace heddle
