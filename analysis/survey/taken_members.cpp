#include "analysis/survey/taken_members.h"

#include "analysis/survey/data_name.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

/// "record.member", with "[]" behind it for an element; empty: the expression is neither.
std::string untypedMember(const clang::Expr& value) {
  const clang::Expr* place = value.IgnoreParenCasts();
  if (!place->getType()->isVoidPointerType()) return "";
  std::string behind;
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
    place = element->getBase()->IgnoreParenCasts();
    behind = "[]";
  }
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(place);
  const std::string name = member ? memberName(*member) : "";
  return name.empty() ? "" : name + behind;
}

}  // namespace

void addTakenMembers(const clang::Stmt& body, const std::string& function, TypeSurvey& types,
                     Survey& survey) {
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&body);
      cast && cast->getType()->isPointerType() && cast->getType()->getPointeeType()->isRecordType()) {
    const std::string member = untypedMember(*cast->getSubExpr());
    if (!member.empty() && !survey.takenAs[member].contains(function))
      survey.takenAs[member][function] = types.of(cast->getType());
  }
  for (const clang::Stmt* part : body.children())
    if (part) addTakenMembers(*part, function, types, survey);
}

}  // namespace heddle
