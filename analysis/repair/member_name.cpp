#include "analysis/repair/member_name.h"

#include <algorithm>

#include "analysis/repair/lock_calls.h"
#include "clang/AST/Expr.h"

namespace heddle {
namespace {

using clang::Stmt;

bool isOfRecord(const clang::MemberExpr& member, const clang::FieldDecl& field) {
  const auto* other = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
  return other != nullptr && other->getParent()->getCanonicalDecl() == field.getParent()->getCanonicalDecl();
}

class Scope {
 public:
  Scope(const FunctionShape& shape, const std::vector<const Stmt*>& statements)
      : shape_(shape), statements_(statements) {}

  /// Declared before the statements, if it is a local variable.
  bool isKnown(const clang::VarDecl& variable) const {
    if (!variable.isLocalVarDecl()) return true;
    const clang::SourceManager& sources = shape_.context().getSourceManager();
    return std::all_of(statements_.begin(), statements_.end(), [&](const Stmt* s) {
      return sources.isBeforeInTranslationUnit(variable.getEndLoc(), s->getBeginLoc());
    });
  }

  bool isSteady(const clang::Expr* base) const {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(base))
      return !member->isArrow() && isSteady(member->getBase()->IgnoreParenImpCasts());
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(base);
    const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return variable != nullptr && isKnown(*variable);
  }

  /// A parameter, or a local variable of the function's outermost block.
  std::vector<const clang::VarDecl*> variables() const {
    std::vector<const clang::VarDecl*> found(shape_.function().param_begin(), shape_.function().param_end());
    for (const Stmt* s : shape_.body()->body()) {
      const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
      if (declaration == nullptr) continue;
      for (const clang::Decl* one : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one))
          if (isKnown(*variable)) found.push_back(variable);
    }
    return found;
  }

 private:
  const FunctionShape& shape_;
  const std::vector<const Stmt*>& statements_;
};

const clang::Decl* recordOf(clang::QualType type, bool& isPointer) {
  isPointer = type->isPointerType();
  const clang::QualType object = isPointer ? type->getPointeeType() : type;
  const clang::RecordDecl* record = object->getAsRecordDecl();
  return record == nullptr ? nullptr : record->getCanonicalDecl();
}

}  // namespace

std::string memberNamedIn(const clang::FieldDecl& field, const FunctionShape& shape,
                          const std::vector<const Stmt*>& statements) {
  const Scope scope(shape, statements);
  for (const Stmt* s : statements)
    for (const Stmt* inner : FunctionShape::below(s)) {
      const auto* member = llvm::dyn_cast<clang::MemberExpr>(inner);
      if (member == nullptr || !isOfRecord(*member, field)) continue;
      const clang::Expr* base = member->getBase()->IgnoreParenImpCasts();
      if (!scope.isSteady(base)) continue;
      return printed(*base, shape.context()) + (member->isArrow() ? "->" : ".") + field.getName().str();
    }
  std::string name;
  for (const clang::VarDecl* variable : scope.variables()) {
    bool isPointer = false;
    if (recordOf(variable->getType(), isPointer) != field.getParent()->getCanonicalDecl()) continue;
    if (!name.empty()) return {};  // which of the objects, nothing says
    name = variable->getName().str() + (isPointer ? "->" : ".") + field.getName().str();
  }
  return name;
}

const clang::FieldDecl* memberOf(const clang::Expr* address) {
  const auto* operation = llvm::dyn_cast_or_null<clang::UnaryOperator>(address);
  if (operation == nullptr || operation->getOpcode() != clang::UO_AddrOf) return nullptr;
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(operation->getSubExpr()->IgnoreParenImpCasts());
  return member == nullptr ? nullptr : llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
}

}  // namespace heddle
