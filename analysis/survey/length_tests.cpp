#include "analysis/survey/length_tests.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/survey/counted_steps.h"
#include "analysis/survey/free_place.h"
#include "analysis/survey/integer_constant.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/tested_call.h"
#include "llvm/ADT/StringRef.h"

namespace heddle {
namespace {

using Known = LengthTest::Known;

/// No length is larger; sums of such numbers do not wrap around.
constexpr int64_t kMostLength = int64_t{1} << 48;

/// The string whose length the expression is; null: none.
const clang::Expr* measuredText(const clang::Expr& expression) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression.IgnoreParenCasts());
  const bool isIt = call && call->getNumArgs() == 1 &&
                    (countedCallName(*call) == "strlen" || countedCallName(*call) == "__builtin_strlen");
  return isIt ? call->getArg(0) : nullptr;
}

std::string textName(const clang::Expr& text) {
  const std::string key = freePlaceOf(text).key;
  return key.empty() ? "" : "strlen(" + key + ")";
}

/// An element of something is one of many that are alike.
bool isGivenText(const clang::Expr& text) {
  const FreePlace place = freePlaceOf(text);
  return place.root && llvm::isa<clang::ParmVarDecl>(place.root) && place.text.find('[') == std::string::npos;
}

std::optional<int64_t> lengthConstant(const clang::Expr& value, const clang::ASTContext& context) {
  const auto constant = integerConstant(value, context);
  return constant && *constant <= kMostLength && *constant >= -kMostLength ? constant : std::nullopt;
}

/// The string whose first character the expression is; null: none.
const clang::Expr* firstOf(const clang::Expr& expression, const clang::ASTContext& context) {
  const clang::Expr* part = expression.IgnoreParenCasts();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(part);
      unary && unary->getOpcode() == clang::UO_Deref && part->getType()->isAnyCharacterType())
    return unary->getSubExpr();
  const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(part);
  if (!element || !part->getType()->isAnyCharacterType()) return nullptr;
  return lengthConstant(*element->getIdx(), context) == 0 ? element->getBase() : nullptr;
}

}  // namespace

std::string lengthName(const clang::Expr& expression) {
  if (const clang::Expr* text = measuredText(expression)) return textName(*text);
  return freePlaceOf(expression).key;
}

std::string lengthText(const clang::Expr& expression) {
  if (const clang::Expr* text = measuredText(expression)) return "strlen(" + freePlaceOf(*text).text + ")";
  return freePlaceOf(expression).text;
}

LessThanLength lessThanLength(const clang::Expr& expression, const clang::ASTContext& context) {
  const auto* difference = llvm::dyn_cast<clang::BinaryOperator>(expression.IgnoreParenCasts());
  if (!difference || difference->getOpcode() != clang::BO_Sub) return {};
  const auto less = lengthConstant(*difference->getRHS(), context);
  if (!less || *less <= 0 || !difference->getLHS()->getType()->isIntegerType()) return {};
  if (lengthConstant(*difference->getLHS(), context) || lengthName(*difference->getLHS()).empty()) return {};
  return {difference->getLHS(), *less};
}

LengthTest LengthTests::at(const std::string& name) const {
  const auto found = tests_.find(name);
  return found == tests_.end() ? LengthTest() : found->second;
}

LengthTest LengthTests::of(const clang::Expr& length) const {
  const std::string name = lengthName(length);
  LengthTest test = at(name);
  if (const auto text = texts_.find(name); text != texts_.end()) {
    const LengthTest other = at(text->second.name);
    if (other.known > test.known) test = other;
  }
  return test;
}

bool LengthTests::isOfGivenText(const clang::Expr& length) const {
  if (const clang::Expr* text = measuredText(length)) return isGivenText(*text);
  const auto found = texts_.find(lengthName(length));
  return found != texts_.end() && found->second.isGiven;
}

void LengthTests::keepText(const std::string& name, const clang::Expr* value) {
  texts_.erase(name);
  if (const clang::Expr* text = value ? measuredText(*value) : nullptr)
    texts_[name] = {textName(*text), isGivenText(*text)};
}

/// Of something that is assigned.
LengthTest LengthTests::valueOf(const clang::Expr& value) const {
  if (const auto constant = lengthConstant(value, *context_)) return {Known::Compared, *constant, 0};
  const clang::Expr* part = value.IgnoreParenCasts();
  if (const LessThanLength less = lessThanLength(*part, *context_); less.length) {
    const LengthTest before = of(*less.length);
    if (before.known == Known::Bounded) return before;
    if (before.known == Known::Compared && before.least >= less.less)
      return {Known::Compared, before.least - less.less, 0};
    return {Known::Lowered, 0, lineOf(value, *context_)};
  }
  if (!lengthName(*part).empty()) return of(*part);
  if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(part); sum && sum->getOpcode() == clang::BO_Add)
    for (const clang::Expr* side : {sum->getLHS(), sum->getRHS()})
      if (const auto more = lengthConstant(*side, *context_)) return {Known::Compared, *more, 0};
  return {Known::Bounded, 0, 0};
}

void LengthTests::assign(const clang::Expr& place, const clang::Expr* value) {
  const FreePlace changed = freePlaceOf(place);
  if (changed.key.empty()) return;
  const LengthTest test = value ? valueOf(*value) : LengthTest{Known::Bounded, 0, 0};
  const auto isOf = [&](const auto& entry) { return isWithin(entry.first, changed.key); };
  std::erase_if(tests_, isOf);
  std::erase_if(texts_, isOf);
  tests_[changed.key] = test;
  keepText(changed.key, value);
  if (!place.getType()->isPointerType() || !value) return;
  const bool isPlace = !freePlaceOf(*value).key.empty();
  tests_["strlen(" + changed.key + ")"] = isPlace ? at(textName(*value)) : LengthTest{Known::Bounded, 0, 0};
}

void LengthTests::shift(const clang::Expr& place, int64_t by, uint32_t line) {
  const std::string name = lengthName(place);
  if (name.empty()) return;
  if (place.getType()->isPointerType()) {
    tests_["strlen(" + name + ")"] = {Known::Bounded, 0, 0};
    return;
  }
  texts_.erase(name);
  LengthTest& test = tests_[name];
  if (test.known == Known::Bounded) return;
  if (test.known == Known::Compared && (by > 0 || test.least >= -by))
    test.least = std::min(test.least + by, kMostLength);
  else
    test = by > 0 ? LengthTest{Known::Compared, by, 0} : LengthTest{Known::Lowered, 0, line};
}

/// What a function fills is not judged, nor what it is given by its address.
void LengthTests::runCall(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    const clang::Expr& argument = *call.getArg(i);
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument.IgnoreParenCasts());
        address && address->getOpcode() == clang::UO_AddrOf) {
      if (const std::string name = freePlaceOf(*address->getSubExpr()).key; !name.empty())
        tests_[name] = {Known::Bounded, 0, 0};
      continue;
    }
    const clang::QualType type =
        callee && i < callee->getNumParams() ? callee->getParamDecl(i)->getType() : argument.getType();
    if (!type->isPointerType() || type->getPointeeType().isConstQualified()) continue;
    if (const std::string name = textName(argument); !name.empty()) tests_[name] = {Known::Bounded, 0, 0};
  }
}

void LengthTests::run(const clang::Stmt& statement) {
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
    for (const clang::Decl* one : declared->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (!variable || !variable->getIdentifier()) continue;
      const std::string key = variableKey(*variable);
      const clang::Expr* value = variable->getInit();
      tests_[key] =
          value && variable->getType()->isIntegerType() ? valueOf(*value) : LengthTest{Known::Bounded, 0, 0};
      keepText(key, value);
      const bool isPlace = value && variable->getType()->isPointerType() && !freePlaceOf(*value).key.empty();
      tests_["strlen(" + key + ")"] = isPlace ? at(textName(*value)) : LengthTest{Known::Bounded, 0, 0};
    }
  } else if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&statement);
             assignment && assignment->isAssignmentOp()) {
    const auto by = lengthConstant(*assignment->getRHS(), *context_);
    if (assignment->getOpcode() == clang::BO_Assign)
      assign(*assignment->getLHS(), assignment->getRHS());
    else if (by && assignment->getOpcode() == clang::BO_SubAssign)
      shift(*assignment->getLHS(), -*by, lineOf(statement, *context_));
    else if (by && assignment->getOpcode() == clang::BO_AddAssign)
      shift(*assignment->getLHS(), *by, lineOf(statement, *context_));
    else
      assign(*assignment->getLHS(), nullptr);
    if (const clang::Expr* text = firstOf(*assignment->getLHS(), *context_))
      if (const std::string name = textName(*text); !name.empty()) tests_[name] = {Known::Bounded, 0, 0};
  } else if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(&statement);
             step && step->isIncrementDecrementOp()) {
    shift(*step->getSubExpr(), step->isIncrementOp() ? 1 : -1, lineOf(statement, *context_));
  } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
    runCall(*call);
  }
}

void LengthTests::raise(const std::string& name, LengthTest test) {
  if (name.empty()) return;
  LengthTest& known = tests_[name];
  if (test.known > known.known) known = test;
}

/// All that a condition reads, somebody has thought of.
void LengthTests::note(const clang::Stmt& part, bool isGiven) {
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(&part)) {
    const Known known = isGiven ? Known::Asked : Known::Bounded;
    if (expression->getType()->isIntegerType()) raise(lengthName(*expression), {known, 0, 0});
    if (const clang::Expr* text = firstOf(*expression, *context_))
      raise(textName(*text), {Known::Bounded, 0, 0});
    if (isGiven && expression->getType()->isPointerType())
      raise(textName(*expression), {Known::Bounded, 0, 0});
  }
  const bool isCall = llvm::isa<clang::CallExpr>(part);
  for (const clang::Stmt* child : part.children())
    if (child) note(*child, isGiven || isCall);
}

void LengthTests::compare(const clang::Expr& length, clang::BinaryOperatorKind kind, int64_t value) {
  const std::string name = lengthName(length);
  LengthTest& test = tests_[name];
  if (test.known == Known::Bounded) return;
  int64_t least = test.known == Known::Compared ? test.least : 0;
  if (kind == clang::BO_GT) least = std::max(least, value + 1);
  if (kind == clang::BO_GE || kind == clang::BO_EQ) least = std::max(least, value);
  if (kind == clang::BO_NE && value == least) ++least;
  test = {Known::Compared, least, 0};
}

void LengthTests::assume(const clang::Expr& condition, bool holds) {
  const clang::Expr* part = withoutHint(&condition);
  while (const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(part)) {
    if (negation->getOpcode() != clang::UO_LNot) break;
    holds = !holds;
    part = withoutHint(negation->getSubExpr());
  }
  const clang::Expr* length = part;
  auto kind = clang::BO_NE;
  int64_t value = 0;
  if (const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(part);
      comparison && comparison->isComparisonOp()) {
    const auto right = lengthConstant(*comparison->getRHS(), *context_);
    const auto left = lengthConstant(*comparison->getLHS(), *context_);
    length = right ? comparison->getLHS() : comparison->getRHS();
    kind =
        right ? comparison->getOpcode() : clang::BinaryOperator::reverseComparisonOp(comparison->getOpcode());
    value = right ? *right : left.value_or(0);
    if (!right && !left) length = nullptr;
  }
  const bool isLength = length && length->getType()->isIntegerType() && !firstOf(*length, *context_);
  if (!isLength || lengthName(*length).empty()) {
    note(condition, false);
    return;
  }
  if (!holds) kind = clang::BinaryOperator::negateComparisonOp(kind);
  compare(*length, kind, value);
}

bool LengthTests::meet(const LengthTests& more) {
  bool isChanged = false;
  // What one of the two does not have, it knows nothing of. Both are sorted.
  auto other = more.tests_.begin();
  for (auto mine = tests_.begin(); mine != tests_.end();) {
    while (other != more.tests_.end() && other->first < mine->first) ++other;
    if (other == more.tests_.end() || mine->first < other->first) {
      isChanged |= mine->second != LengthTest();
      mine = tests_.erase(mine);
      continue;
    }
    LengthTest met = std::min(mine->second.known, other->second.known) == mine->second.known ? mine->second
                                                                                             : other->second;
    if (mine->second.known == Known::Compared && other->second.known == Known::Compared)
      met.least = std::min(mine->second.least, other->second.least);
    isChanged |= met != mine->second;
    mine->second = met;
    ++mine;
  }
  for (const auto& [name, text] : more.texts_) texts_.try_emplace(name, text);
  return isChanged;
}

}  // namespace heddle
