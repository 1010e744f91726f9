// A lock of the right kind and of the wrong object: a function takes the lock of one element and works on
// another, which it names by an expression of its own. The lock that it takes becomes that element's.
#include <set>

#include "analysis/repair/expression_text.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/member_name.h"
#include "analysis/repair/plan_scene.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;

/// The local pointer through which the function takes the member `field` as its lock; null: not through one.
const clang::VarDecl* lockedThrough(const FunctionShape& shape, const clang::FieldDecl& field) {
  for (const Stmt* s : FunctionShape::below(shape.body())) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
    if (call == nullptr || call->getNumArgs() != 1 || calleeName(*call) != "pthread_mutex_lock") continue;
    const clang::Expr* argument = call->getArg(0)->IgnoreParenImpCasts();
    if (memberOf(argument) != &field) continue;
    const auto* address = llvm::cast<clang::UnaryOperator>(argument);
    const auto* member = llvm::cast<clang::MemberExpr>(address->getSubExpr()->IgnoreParenImpCasts());
    const clang::VarDecl* variable = member->isArrow() ? variableIn(member->getBase()) : nullptr;
    if (variable != nullptr && variable->isLocalVarDecl() && variable->hasInit()) return variable;
  }
  return nullptr;
}

/// A call, or the address of an element, that means the same where `variable` is declared.
bool isKnownAt(const clang::Expr& expression, const FunctionShape& shape, const clang::VarDecl& variable) {
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(&expression);
  const bool isElement = address != nullptr && address->getOpcode() == clang::UO_AddrOf &&
                         llvm::isa<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParenImpCasts());
  if (!isElement && !llvm::isa<clang::CallExpr>(&expression)) return false;
  for (const Stmt* s : FunctionShape::below(&expression)) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(s);
    const auto* named = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (named == nullptr) continue;
    if (named == &variable || (!named->isFileVarDecl() && shape.changes(*named))) return false;
    if (named->isLocalVarDecl() && !shape.context().getSourceManager().isBeforeInTranslationUnit(
                                       named->getEndLoc(), variable.getBeginLoc()))
      return false;
  }
  return true;
}

/// The one other object of the lock's kind that the function names; null: none, or several.
const clang::Expr* otherInstance(const FunctionShape& shape, const clang::VarDecl& variable) {
  const clang::QualType type = variable.getType().getCanonicalType().getUnqualifiedType();
  const std::string own = printed(*variable.getInit(), shape.context());
  const clang::Expr* found = nullptr;
  std::set<std::string> texts;
  for (const Stmt* s : FunctionShape::below(shape.body())) {
    const auto* expression = llvm::dyn_cast<clang::Expr>(s);
    if (expression == nullptr || expression->getType().getCanonicalType().getUnqualifiedType() != type)
      continue;
    if (!isKnownAt(*expression, shape, variable)) continue;
    const std::string text = printed(*expression, shape.context());
    if (text == own) continue;
    texts.insert(text);
    found = expression;
  }
  return texts.size() == 1 ? found : nullptr;
}

}  // namespace

bool realizeOwnInstance(PlanScene& scene, const clang::FieldDecl& field,
                        const std::vector<const FunctionShape*>& shapes) {
  std::set<const clang::FunctionDecl*> seen;
  for (const FunctionShape* shape : shapes) {
    if (!seen.insert(&shape->function()).second) continue;
    const clang::VarDecl* variable = lockedThrough(*shape, field);
    if (variable == nullptr || shape->changes(*variable)) continue;
    const clang::Expr* instance = otherInstance(*shape, *variable);
    if (instance == nullptr) continue;
    const auto place = exactSpan(*variable->getInit()->IgnoreImpCasts(), scene.context);
    const std::string text = textOf(*instance, nullptr, "", scene.context);
    if (!place || text.empty()) continue;
    scene.edits.replace(pathOf(place->file, scene.context), place->begin, place->end, text);
    scene.title = "take the '" + field.getName().str() + "' of '" + text + "' in '" +
                  shape->function().getName().str() + "'";
    return true;
  }
  return false;
}

}  // namespace heddle
