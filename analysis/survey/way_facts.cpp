#include "analysis/survey/way_facts.h"

#include <algorithm>

#include "analysis/survey/integer_constant.h"
#include "analysis/survey/tested_call.h"

namespace heddle {
namespace {

/// Nothing: it is no constant, or a very large one.
std::optional<int64_t> wayConstant(const clang::Expr& value, const clang::ASTContext& context) {
  if (value.isValueDependent() || value.containsErrors() || value.getType().isNull()) return std::nullopt;
  if (value.getType()->isPointerType()) {
    const bool isNull = value.isNullPointerConstant(const_cast<clang::ASTContext&>(context),
                                                    clang::Expr::NPC_ValueDependentIsNotNull);
    return isNull ? std::optional<int64_t>(0) : std::nullopt;
  }
  return integerConstant(value, context);
}

/// The variable, also of what has just been assigned to it.
const clang::VarDecl* wayTested(const clang::Expr& side) {
  const clang::Expr* part = side.IgnoreParenCasts();
  if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(part);
      assignment && assignment->getOpcode() == clang::BO_Assign)
    part = assignment->getLHS();
  return localNamed(part);
}

/// The comparison sees the number that the variable has.
bool wayKeeps(const clang::VarDecl& variable, const clang::Expr& side, const PlainTest& test) {
  const clang::QualType own = variable.getType(), seen = side.getType();
  if (own->isPointerType()) return test.value == 0;
  if (!own->isIntegralOrEnumerationType() || !seen->isIntegralOrEnumerationType()) return false;
  if (own->isUnsignedIntegerOrEnumerationType() == seen->isUnsignedIntegerOrEnumerationType()) return true;
  if (own->isUnsignedIntegerOrEnumerationType() && test.value >= 0) return true;
  return test.value >= 0 && clang::BinaryOperator::isEqualityOp(test.kind);
}

}  // namespace

const clang::VarDecl* localNamed(const clang::Expr* expression) {
  if (!expression) return nullptr;
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenCasts());
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->hasLocalStorage() ? variable : nullptr;
}

std::optional<PlainTest> plainTest(const clang::Expr& condition, const clang::ASTContext& context) {
  const clang::Expr* part = withoutHint(&condition);
  bool isTurned = false;
  while (const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(part)) {
    if (negation->getOpcode() != clang::UO_LNot) return std::nullopt;
    isTurned = !isTurned;
    part = withoutHint(negation->getSubExpr());
  }
  PlainTest test;
  const clang::Expr* side = part;
  if (const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(part);
      comparison && comparison->isComparisonOp()) {
    test.kind = comparison->getOpcode();
    side = comparison->getLHS();
    std::optional<int64_t> value = wayConstant(*comparison->getRHS(), context);
    if (!value) {
      value = wayConstant(*comparison->getLHS(), context);
      side = comparison->getRHS();
      test.kind = clang::BinaryOperator::reverseComparisonOp(test.kind);
    }
    if (!value) return std::nullopt;
    test.value = *value;
  }
  test.variable = wayTested(*side);
  if (!test.variable || !wayKeeps(*test.variable, *side, test)) return std::nullopt;
  if (isTurned) test.kind = clang::BinaryOperator::negateComparisonOp(test.kind);
  return test;
}

const clang::Expr* wayCondition(const clang::CFGBlock& block) {
  const clang::Expr* condition = branchCondition(block);
  while (condition) {
    const auto* both = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParens());
    if (!both || !both->isLogicalOp()) break;
    condition = both->getRHS();
  }
  return condition;
}

std::optional<WayRange> WayFacts::rangeOf(const clang::Expr& value) const {
  if (const auto constant = wayConstant(value, *context_)) return WayRange{*constant, *constant, false};
  const clang::Expr* part = value.IgnoreParenCasts();
  if (llvm::isa<clang::StringLiteral>(part)) return WayRange{.isNotZero = true};
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(part);
      address && address->getOpcode() == clang::UO_AddrOf && localNamed(address->getSubExpr()))
    return WayRange{.isNotZero = true};
  const clang::VarDecl* other = localNamed(part);
  const auto known = other ? ranges_.find(other) : ranges_.end();
  if (known == ranges_.end() || other->getType().getCanonicalType() != value.getType().getCanonicalType())
    return std::nullopt;
  return known->second;
}

void WayFacts::assign(const clang::VarDecl& variable, const clang::Expr* value) {
  const auto range = value && !escaped_->contains(&variable) ? rangeOf(*value) : std::nullopt;
  ranges_.erase(&variable);
  if (range) ranges_[&variable] = *range;
}

void WayFacts::run(const clang::Stmt& statement) {
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one); variable && variable->hasLocalStorage())
        assign(*variable, variable->getInit());
  } else if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&statement);
             assignment && assignment->isAssignmentOp()) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(assignment->getLHS()->IgnoreParens());
    const clang::VarDecl* variable = localNamed(reference);
    const bool isPlain = assignment->getOpcode() == clang::BO_Assign;
    if (variable) assign(*variable, isPlain ? assignment->getRHS() : nullptr);
  } else if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(&statement);
             step && step->isIncrementDecrementOp()) {
    if (const clang::VarDecl* variable = localNamed(step->getSubExpr())) forget(*variable);
  }
}

std::optional<bool> WayFacts::decide(const clang::Expr& condition) const {
  if (const auto constant = wayConstant(*withoutHint(&condition), *context_)) return *constant != 0;
  const auto test = plainTest(condition, *context_);
  const auto known = test ? ranges_.find(test->variable) : ranges_.end();
  if (known == ranges_.end()) return std::nullopt;
  const WayRange& range = known->second;
  const auto either = [](bool always, bool never) -> std::optional<bool> {
    if (always) return true;
    return never ? std::optional(false) : std::nullopt;
  };
  switch (test->kind) {
    case clang::BO_LT:
      return either(range.most < test->value, range.least >= test->value);
    case clang::BO_LE:
      return either(range.most <= test->value, range.least > test->value);
    case clang::BO_GT:
      return either(range.least > test->value, range.most <= test->value);
    case clang::BO_GE:
      return either(range.least >= test->value, range.most < test->value);
    default:
      break;
  }
  const bool isIt = range.least == test->value && range.most == test->value;
  const bool isNot =
      test->value < range.least || test->value > range.most || (range.isNotZero && test->value == 0);
  return test->kind == clang::BO_EQ ? either(isIt, isNot) : either(isNot, isIt);
}

void WayFacts::assume(const clang::Expr& condition, bool holds) {
  const auto test = plainTest(condition, *context_);
  if (!test || escaped_->contains(test->variable)) return;
  const auto kind = holds ? test->kind : clang::BinaryOperator::negateComparisonOp(test->kind);
  WayRange& range = ranges_[test->variable];
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
  if (kind == clang::BO_EQ) {
    range = {test->value, test->value, false};
  } else if (kind == clang::BO_LT && test->value != kLeast) {
    range.most = std::min(range.most, test->value - 1);
  } else if (kind == clang::BO_LE) {
    range.most = std::min(range.most, test->value);
  } else if (kind == clang::BO_GT && test->value != kMost) {
    range.least = std::max(range.least, test->value + 1);
  } else if (kind == clang::BO_GE) {
    range.least = std::max(range.least, test->value);
  } else if (kind == clang::BO_NE && test->value == 0) {
    range.isNotZero = true;
    if (test->variable->getType()->isUnsignedIntegerType()) range.least = std::max<int64_t>(range.least, 1);
  }
}

}  // namespace heddle
