// MemberFunctions: which functions a file puts into members (and variables) that point to functions, by
// initial values and assignments, and which of these it compares with null: what is never compared is always
// set.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <string>

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace heddle {

class MemberFunctions {
 public:
  explicit MemberFunctions(clang::ASTContext& context) : context_(context) {}

  /// An initial value, or the body of a function.
  void add(const clang::Stmt& part);
  /// By the name of the member or variable, as accesses have it.
  std::map<std::string, SurveyHook> found() const;

 private:
  struct Seen {
    std::map<std::string, unsigned> functions;  // how often
    bool isTested = false;
  };

  void put(const std::string& hook, const clang::Expr& value);
  void noteTest(const clang::Expr* condition);

  clang::ASTContext& context_;
  std::map<std::string, Seen> seen_;
};

}  // namespace heddle
