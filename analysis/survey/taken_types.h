// TakenTypes: what a function takes a pointer that it is given for, where it is declared as something less:
// as `void *`, as the first member of a larger structure, or as a member that the function steps back from
// (container_of).
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>

#include "analysis/survey/survey.h"
#include "analysis/survey/type_survey.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace heddle {

class TakenTypes {
 public:
  TakenTypes(TypeSurvey& types, SurveyFunction& out) : types_(types), out_(out) {}
  /// Of several casts of a parameter the first counts, or one to what begins with the type of that.
  void add(const clang::CastExpr& cast);

 private:
  TypeSurvey& types_;
  SurveyFunction& out_;
  std::map<unsigned, const clang::RecordDecl*> taken_;  // by parameter
};

}  // namespace heddle
