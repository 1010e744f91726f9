#include "analysis/survey/taken_types.h"

#include <string>

namespace heddle {
namespace {

const clang::ParmVarDecl* parameterIn(const clang::Expr& expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenCasts());
  return reference ? llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr;
}

/// Whether a `whole` begins with a `part`.
bool beginsWith(const clang::RecordDecl* whole, const clang::RecordDecl* part) {
  constexpr int kDepth = 4;
  if (!part) return false;
  for (int depth = 0; depth < kDepth; ++depth) {
    whole = whole ? whole->getDefinition() : nullptr;
    if (!whole || whole->isUnion() || whole->field_empty()) return false;
    whole = (*whole->field_begin())->getType()->getAsRecordDecl();
    if (whole && whole->getCanonicalDecl() == part->getCanonicalDecl()) return true;
  }
  return false;
}

/// "member.part" of an offsetof; empty: it has an index, or is of another structure.
std::string memberOf(const clang::OffsetOfExpr& offset, const clang::RecordDecl* whole) {
  const clang::RecordDecl* const of = offset.getTypeSourceInfo()->getType()->getAsRecordDecl();
  if (!of || !whole || of->getCanonicalDecl() != whole->getCanonicalDecl()) return "";
  std::string member;
  for (unsigned i = 0; i < offset.getNumComponents(); ++i) {
    const clang::OffsetOfNode& part = offset.getComponent(i);
    if (part.getKind() != clang::OffsetOfNode::Field || part.getField()->getName().empty()) return "";
    member += (member.empty() ? "" : ".") + part.getField()->getName().str();
  }
  return member;
}

}  // namespace

void TakenTypes::add(const clang::CastExpr& cast) {
  const clang::QualType target = cast.getType();
  if (!target->isPointerType() || !target->getPointeeType()->isRecordType()) return;
  const clang::RecordDecl* const whole = target->getPointeeType()->getAsRecordDecl();
  const clang::ParmVarDecl* parameter = parameterIn(*cast.getSubExpr());
  std::string member;
  if (const auto* step = llvm::dyn_cast<clang::BinaryOperator>(cast.getSubExpr()->IgnoreParenCasts());
      step && step->getOpcode() == clang::BO_Sub) {
    const auto* offset = llvm::dyn_cast<clang::OffsetOfExpr>(step->getRHS()->IgnoreParenCasts());
    parameter = offset ? parameterIn(*step->getLHS()) : nullptr;
    if (!parameter) return;
    member = memberOf(*offset, whole);
    if (member.empty()) return;
  } else if (parameter && !parameter->getType()->isVoidPointerType()) {
    const clang::QualType given = parameter->getType();
    if (!given->isPointerType() || !beginsWith(whole, given->getPointeeType()->getAsRecordDecl())) return;
  }
  if (!parameter) return;
  const unsigned index = parameter->getFunctionScopeIndex();
  if (index >= out_.parameters.size()) return;
  SurveyType& type = out_.parameters[index].second;
  // As what the others begin with it is seen on the way.
  const auto [known, isFirst] = taken_.try_emplace(index, whole);
  if (!isFirst && !beginsWith(whole, known->second)) return;
  known->second = whole;
  type = types_.of(target);
  type.isGuessed = true;
  type.member = std::move(member);
}

}  // namespace heddle
