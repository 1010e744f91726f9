#include "analysis/survey/index_bounds.h"

#include <algorithm>

#include "analysis/survey/source_line.h"

namespace heddle {
namespace {

struct ShiftedPlace {
  ValuePath path;
  int64_t offset = 0;
};

constexpr int64_t kLargestIndex = int64_t{1} << 32;

std::optional<int64_t> indexConstant(const clang::Expr& expression, const clang::ASTContext& context) {
  clang::Expr::EvalResult value;
  if (expression.isValueDependent() || !expression.getType()->isIntegralOrEnumerationType() ||
      !expression.EvaluateAsInt(value, context))
    return std::nullopt;
  const std::optional<int64_t> number = value.Val.getInt().tryExtValue();
  const bool isSmall = number && *number<kLargestIndex&& * number> - kLargestIndex;
  return isSmall ? number : std::nullopt;
}

/// The place that an expression reads, has just changed, or adds a constant to.
std::optional<ShiftedPlace> shiftedPlace(const clang::Expr& expression, const clang::ASTContext& context) {
  const clang::Expr& value = withoutCasts(expression, context);
  const auto asPlace = [&](const clang::Expr& place, int64_t offset) -> std::optional<ShiftedPlace> {
    ValuePath path = valuePath(place, context);
    return path.empty() ? std::nullopt : std::optional(ShiftedPlace{std::move(path), offset});
  };
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&value);
      unary && unary->isIncrementDecrementOp()) {
    const int64_t step = unary->isIncrementOp() ? -1 : 1;
    return asPlace(*unary->getSubExpr(), unary->isPostfix() ? step : 0);
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&value);
  if (!binary) return asPlace(value, 0);
  if (binary->isAssignmentOp()) return asPlace(*binary->getLHS(), 0);
  if (binary->getOpcode() == clang::BO_Comma) return shiftedPlace(*binary->getRHS(), context);
  if (!binary->isAdditiveOp() || binary->getType()->isPointerType()) return std::nullopt;
  const bool isSum = binary->getOpcode() == clang::BO_Add;
  const clang::Expr *left = binary->getLHS(), *right = binary->getRHS();
  auto constant = indexConstant(*right, context);
  if (!constant && isSum) {
    std::swap(left, right);
    constant = indexConstant(*right, context);
  }
  if (!constant) return std::nullopt;
  auto place = shiftedPlace(*left, context);
  if (place) place->offset += isSum ? *constant : -*constant;
  return place;
}

/// Functions that change nothing of their caller's but what they are given, by the compiler's own list.
bool keepsMembers(const clang::Stmt& statement) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement);
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->getBuiltinID() != 0;
}

}  // namespace

const clang::Expr& withoutCasts(const clang::Expr& expression, const clang::ASTContext& context) {
  const clang::Expr* inner = &expression;
  while (true) {
    inner = inner->IgnoreParens();
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(inner);
    if (!cast) return *inner;
    const clang::QualType to = cast->getType(), from = cast->getSubExpr()->getType();
    if (cast->getCastKind() == clang::CK_IntegralCast && context.getTypeSize(to) < context.getTypeSize(from))
      return *inner;
    if (cast->getCastKind() != clang::CK_IntegralCast && cast->getCastKind() != clang::CK_LValueToRValue &&
        cast->getCastKind() != clang::CK_NoOp)
      return *inner;
    inner = cast->getSubExpr();
  }
}

ValuePath valuePath(const clang::Expr& expression, const clang::ASTContext& context) {
  const clang::Expr& place = withoutCasts(expression, context);
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&place)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable ? ValuePath{variable} : ValuePath{};
  }
  ValuePath path;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&place)) {
    path = valuePath(*member->getBase(), context);
    if (!path.empty()) path.push_back(member->getMemberDecl());
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&place);
             unary && unary->getOpcode() == clang::UO_Deref) {
    path = valuePath(*unary->getSubExpr(), context);
    if (!path.empty()) path.push_back(nullptr);
  }
  return path;
}

IndexUses::IndexUses(const clang::Stmt& body, const clang::ASTContext& of) : context(of) {
  add(body);
}

bool IndexUses::addPlain(const clang::BinaryOperator& comparison, const clang::Expr& side,
                         const clang::Expr& other) {
  auto place = shiftedPlace(side, context);
  const auto constant = indexConstant(other, context);
  if (!place || !constant) return false;
  if (comparison.isEqualityOp()) met.insert({std::move(place->path), *constant - place->offset});
  return true;
}

void IndexUses::add(const clang::Stmt& part) {
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&part);
      unary && unary->getOpcode() == clang::UO_AddrOf) {
    const ValuePath path = valuePath(*unary->getSubExpr(), context);
    if (!path.empty()) escaped.insert(llvm::cast<clang::VarDecl>(path.front()));
  }
  if (const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(&part);
      comparison && comparison->isComparisonOp()) {
    const clang::Expr &left = *comparison->getLHS(), &right = *comparison->getRHS();
    if (!addPlain(*comparison, left, right) && !addPlain(*comparison, right, left)) {
      addAll(left);
      addAll(right);
    }
  }
  for (const clang::Stmt* child : part.children())
    if (child) add(*child);
}

void IndexUses::addAll(const clang::Stmt& part) {
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(&part))
    if (ValuePath path = valuePath(*expression, context); !path.empty()) compared.insert(std::move(path));
  for (const clang::Stmt* child : part.children())
    if (child) addAll(*child);
}

std::optional<IndexBound> IndexBounds::ofChoice(const clang::ConditionalOperator& choice) const {
  IndexBounds left = *this, right = *this;
  left.assume(*choice.getCond(), true);
  right.assume(*choice.getCond(), false);
  const auto a = left.of(*choice.getTrueExpr()), b = right.of(*choice.getFalseExpr());
  if (!a || !b) return std::nullopt;
  IndexBound both = a->most > b->most ? *a : *b;
  both.line = std::max(a->line, b->line);
  return both;
}

std::optional<IndexBound> IndexBounds::of(const clang::Expr& expression) const {
  const clang::ASTContext& context = uses_->context;
  const clang::Expr& value = withoutCasts(expression, context);
  if (const auto constant = indexConstant(value, context)) return IndexBound{*constant, 0, false};
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&value)) return ofChoice(*choice);
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&value);
  if (binary && (binary->getOpcode() == clang::BO_And || binary->getOpcode() == clang::BO_Rem)) {
    auto most = indexConstant(*binary->getRHS(), context);
    if (!most && binary->getOpcode() == clang::BO_And) most = indexConstant(*binary->getLHS(), context);
    if (!most || *most <= 0) return std::nullopt;
    // The bits of a field may have fewer values than they have room for.
    const bool isField = (*most & (*most + 1)) == 0;
    if (binary->getOpcode() == clang::BO_Rem)
      --*most;
    else if (isField)
      return std::nullopt;
    return IndexBound{*most, lineOf(value, uses_->context), false};
  }
  const auto place = shiftedPlace(value, context);
  const auto known = place ? bounds_.find(place->path) : bounds_.end();
  // A value that the text tests for is one that its author thought of.
  if (known == bounds_.end() || uses_->met.contains({place->path, known->second.most})) return std::nullopt;
  IndexBound bound = known->second;
  bound.most += place->offset;
  return bound;
}

void IndexBounds::limit(const ValuePath& path, int64_t most, uint32_t line) {
  IndexBound& bound = bounds_[path];
  // The turns of a loop raise what they start with.
  const bool isKnown = bound.line != 0 && !bound.isRaised && bound.most <= most;
  if (!isKnown) {
    bound.most = most;
    bound.line = line;
    bound.isRaised = false;
  }
}

void IndexBounds::compare(clang::BinaryOperatorKind kind, const clang::Expr& value, const clang::Expr& with,
                          uint32_t line) {
  const auto place = shiftedPlace(value, uses_->context);
  const auto constant = indexConstant(with, uses_->context);
  if (!place || !constant || uses_->compared.contains(place->path)) return;
  const int64_t limited = *constant - place->offset;
  if (kind == clang::BO_LT || kind == clang::BO_LE || kind == clang::BO_EQ)
    limit(place->path, kind == clang::BO_LT ? limited - 1 : limited, line);
}

void IndexBounds::assume(const clang::Expr& condition, bool holds) {
  const clang::Expr* test = condition.IgnoreParenCasts();
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(test)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee && callee->getIdentifier() && callee->getName().starts_with("__builtin_expect"))
      assume(*call->getArg(0), holds);
    return;
  }
  if (const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(test)) {
    if (negation->getOpcode() == clang::UO_LNot) assume(*negation->getSubExpr(), !holds);
    return;
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(test);
  if (!binary) return;
  if (binary->isLogicalOp()) {
    if ((binary->getOpcode() == clang::BO_LAnd) != holds) return;
    assume(*binary->getLHS(), holds);
    assume(*binary->getRHS(), holds);
  } else if (binary->isComparisonOp() && binary->getOpcode() != clang::BO_Cmp) {
    const clang::BinaryOperatorKind kind =
        holds ? binary->getOpcode() : clang::BinaryOperator::negateComparisonOp(binary->getOpcode());
    const uint32_t line = lineOf(*binary, uses_->context);
    compare(kind, *binary->getLHS(), *binary->getRHS(), line);
    compare(clang::BinaryOperator::reverseComparisonOp(kind), *binary->getRHS(), *binary->getLHS(), line);
  }
}

void IndexBounds::forget(const ValuePath& path) {
  std::erase_if(bounds_, [&](const auto& known) {
    const ValuePath& of = known.first;
    if (of.size() >= path.size() && std::equal(path.begin(), path.end(), of.begin())) return true;
    return of.size() > 1 && path.size() > 1 && of.back() == path.back();
  });
}

void IndexBounds::forgetShared() {
  std::erase_if(bounds_, [&](const auto& known) {
    const auto* variable = llvm::cast<clang::VarDecl>(known.first.front());
    return known.first.size() > 1 || !variable->hasLocalStorage() || uses_->escaped.contains(variable);
  });
}

void IndexBounds::shift(const ValuePath& path, int64_t by) {
  const auto known = bounds_.find(path);
  if (known == bounds_.end()) return;
  IndexBound bound = known->second;
  forget(path);
  if (by > 0 && bound.isRaised) return;
  bound.most += by;
  bound.isRaised |= by > 0;
  bounds_[path] = bound;
}

void IndexBounds::assign(const ValuePath& path, const clang::Expr* value) {
  const auto bound = value && value->getType()->isIntegerType() ? of(*value) : std::nullopt;
  forget(path);
  if (bound && !uses_->compared.contains(path)) bounds_[path] = *bound;
}

void IndexBounds::run(const clang::Stmt& statement) {
  const clang::ASTContext& context = uses_->context;
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one)) assign({variable}, variable->getInit());
  } else if (llvm::isa<clang::CallExpr, clang::AtomicExpr, clang::AsmStmt>(statement)) {
    if (!keepsMembers(statement)) forgetShared();
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&statement)) {
    const ValuePath path =
        unary->isIncrementDecrementOp() ? valuePath(*unary->getSubExpr(), context) : ValuePath{};
    if (!path.empty()) shift(path, unary->isIncrementOp() ? 1 : -1);
  } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&statement);
             binary && binary->isAssignmentOp()) {
    const ValuePath path = valuePath(*binary->getLHS(), context);
    if (path.empty()) return;
    const auto constant = indexConstant(*binary->getRHS(), context);
    if (binary->getOpcode() == clang::BO_Assign)
      assign(path, binary->getRHS());
    else if (constant && binary->getOpcode() == clang::BO_AddAssign)
      shift(path, *constant);
    else if (constant && binary->getOpcode() == clang::BO_SubAssign)
      shift(path, -*constant);
    else
      forget(path);
  }
}

bool IndexBounds::meet(const IndexBounds& more) {
  bool isChanged = false;
  for (auto known = bounds_.begin(); known != bounds_.end();) {
    const auto other = more.bounds_.find(known->first);
    IndexBound met = known->second;
    if (other == more.bounds_.end()) {
      met = {};
    } else {
      const IndexBound& b = other->second;
      const bool isLarger = b.most > met.most;
      if ((isLarger && b.line != 0) || met.line == 0) met.line = b.line;
      met.most = std::max(met.most, b.most);
      met.isRaised |= b.isRaised;
    }
    if (met != known->second) {
      isChanged = true;
      known->second = met;
    }
    known = known->second.most == IndexBound::kNone ? bounds_.erase(known) : std::next(known);
  }
  return isChanged;
}

}  // namespace heddle
