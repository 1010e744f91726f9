#include "analysis/survey/linear_flow.h"

#include <algorithm>
#include <vector>

#include "analysis/survey/block_states.h"
#include "analysis/survey/integer_constant.h"
#include "analysis/survey/source_line.h"
#include "analysis/survey/tested_call.h"
#include "clang/AST/RecordLayout.h"

namespace heddle {
namespace {

bool isLinearType(clang::QualType type) {
  return type->isIntegerType() || type->isPointerType();
}

/// Casts to smaller types lose the value.
const clang::Expr* withoutWideCasts(const clang::Expr& expression, const clang::ASTContext& context) {
  const clang::Expr* part = expression.IgnoreParens();
  while (const auto* cast = llvm::dyn_cast<clang::CastExpr>(part)) {
    const clang::Expr* inner = cast->getSubExpr();
    const clang::QualType from = inner->getType(), to = cast->getType();
    if (!isLinearType(to) || !(isLinearType(from) || from->isArrayType())) return nullptr;
    if (to->isBooleanType()) return nullptr;
    if (to->isIntegerType() && from->isIntegerType() &&
        context.getTypeSize(to) < std::min<uint64_t>(context.getTypeSize(from), 32))
      return nullptr;
    part = inner->IgnoreParens();
  }
  return part;
}

std::string keyAt(const std::string& key, const std::string& by) {
  return key + "@" + by;
}

}  // namespace

LinearFlow::LinearFlow(FunctionFlows& flows, const clang::FunctionDecl& function)
    : context_(flows.context()), function_(function) {
  // Each block has values for all places, and each statement may change all of them.
  constexpr size_t kMostPlaces = 250, kMostValues = 60'000, kMostSteps = 3'000'000;
  collect(*function.getBody());
  if (places_.size() > kMostPlaces) return;
  graph_ = flows.graphOf(function);
  if (!graph_) return;
  size_t elements = 0;
  for (const clang::CFGBlock* block : *graph_) elements += block->size();
  if (graph_->size() * places_.size() > kMostValues || elements * places_.size() > kMostSteps)
    graph_ = nullptr;
}

void LinearFlow::collect(const clang::Stmt& part) {
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(&part)) {
    if (expression->isLValue() && isLinearType(expression->getType()))
      if (FreePlace place = freePlaceOf(*expression); !place.key.empty())
        places_.try_emplace(place.key, std::move(place));
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(expression);
    if (address && address->getOpcode() == clang::UO_AddrOf)
      if (const FreePlace place = freePlaceOf(*address->getSubExpr()); place.root && !place.isBehind)
        escaped_.insert(place.root);
  }
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&part))
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
          variable && variable->getIdentifier() && isLinearType(variable->getType())) {
        const std::string key = variableKey(*variable);
        variable = variable->getCanonicalDecl();
        places_.try_emplace(key, FreePlace{variable->getName().str(), key, variable, {variable}});
      }
  for (const clang::Stmt* child : part.children())
    if (child) collect(*child);
}

int64_t LinearFlow::sizeOf(clang::QualType type) const {
  if (type->isVoidType() || type->isAnyCharacterType()) return 1;
  if (type->isIncompleteType() || type->isFunctionType() || type->isDependentType()) return 0;
  return context_.getTypeSizeInChars(type).getQuantity();
}

LinearState LinearFlow::begin() const {
  LinearState state;
  for (const auto& [key, place] : places_) state.values[key] = LinearValue::symbol(keyAt(key, "0"));
  for (unsigned i = 0; i < function_.getNumParams(); ++i) {
    const clang::ParmVarDecl* pointer = function_.getParamDecl(i);
    const int size = sizeParameterOf(function_, i);
    if (size < 0 || !pointer->getIdentifier()) continue;
    const clang::ParmVarDecl* parameter = function_.getParamDecl(static_cast<unsigned>(size));
    const auto keyOf = [](const clang::VarDecl& variable) { return keyAt(variableKey(variable), "0"); };
    state.rooms[keyOf(*pointer)] = {LinearValue::symbol(keyOf(*parameter)), 0, false};
  }
  return state;
}

LinearValue LinearFlow::addressOf(const clang::Expr& place, const LinearState& state) const {
  const clang::Expr* part = place.IgnoreParens();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable || !variable->getIdentifier()) return LinearValue::unknown();
    return LinearValue::symbol("&" + variableKey(*variable));
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(part)) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (!field || field->isBitField() || field->getParent()->isInvalidDecl() ||
        !field->getParent()->isCompleteDefinition())
      return LinearValue::unknown();
    const LinearValue base =
        member->isArrow() ? valueOf(*member->getBase(), state) : addressOf(*member->getBase(), state);
    const uint64_t bits =
        context_.getASTRecordLayout(field->getParent()).getFieldOffset(field->getFieldIndex());
    return linearSum(base, LinearValue::number(static_cast<int64_t>(bits / 8)));
  }
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(part)) {
    const int64_t size = sizeOf(element->getType());
    if (size == 0) return LinearValue::unknown();
    return linearSum(valueOf(*element->getBase(), state), valueOf(*element->getIdx(), state), size);
  }
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(part);
  return unary && unary->getOpcode() == clang::UO_Deref ? valueOf(*unary->getSubExpr(), state)
                                                        : LinearValue::unknown();
}

LinearValue LinearFlow::ofBinary(const clang::BinaryOperator& binary, const LinearState& state) const {
  const clang::Expr &left = *binary.getLHS(), &right = *binary.getRHS();
  if (binary.isAssignmentOp()) return valueOf(left, state);  // it has been done
  const bool isSum = binary.getOpcode() == clang::BO_Add || binary.getOpcode() == clang::BO_Sub;
  if (!isSum && binary.getOpcode() != clang::BO_Mul) return LinearValue::unknown();
  const LinearValue a = valueOf(left, state), b = valueOf(right, state);
  if (binary.getOpcode() == clang::BO_Mul) {
    if (a.isNumber()) return linearSum(LinearValue::number(0), b, a.constant);
    return b.isNumber() ? linearSum(LinearValue::number(0), a, b.constant) : LinearValue::unknown();
  }
  const int64_t sign = binary.getOpcode() == clang::BO_Sub ? -1 : 1;
  const auto step = [&](const clang::Expr& pointer) {
    return pointer.getType()->isPointerType() ? sizeOf(pointer.getType()->getPointeeType()) : 1;
  };
  const bool isLeft = left.getType()->isPointerType(), isRight = right.getType()->isPointerType();
  if (isLeft && isRight) return step(left) == 1 ? linearSum(a, b, sign) : LinearValue::unknown();
  if (step(left) == 0 || step(right) == 0) return LinearValue::unknown();
  if (isRight) return linearSum(b, a, step(right));
  return linearSum(a, b, sign * step(left));
}

LinearValue LinearFlow::valueOf(const clang::Expr& expression, const LinearState& state) const {
  const clang::Expr* part = withoutWideCasts(expression, context_);
  if (!part || part->isValueDependent() || part->containsErrors()) return LinearValue::unknown();
  if (const auto number = integerConstant(*part, context_)) {
    constexpr int64_t kMostNumber = int64_t{1} << 47;
    const bool isSmall = *number < kMostNumber && *number >= -kMostNumber;
    return isSmall ? LinearValue::number(*number) : LinearValue::unknown();
  }
  if (part->getType()->isArrayType()) return addressOf(*part, state);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(part)) return ofBinary(*binary, state);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(part)) {
    if (unary->getOpcode() == clang::UO_AddrOf) return addressOf(*unary->getSubExpr(), state);
    if (unary->getOpcode() == clang::UO_Minus)
      return linearSum(LinearValue::number(0), valueOf(*unary->getSubExpr(), state), -1);
    if (unary->isIncrementDecrementOp() && unary->getType()->isIntegerType()) {
      const int64_t back = unary->isPrefix() ? 0 : unary->isIncrementOp() ? -1 : 1;
      return linearSum(valueOf(*unary->getSubExpr(), state), LinearValue::number(back));
    }
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(part)) {
    if (call->getNumArgs() != 1 || linearCallee(*call) != "strlen") return LinearValue::unknown();
    return textLength(valueOf(*call->getArg(0), state), state);
  }
  if (!part->isLValue()) return LinearValue::unknown();
  const auto found = state.values.find(freePlaceOf(*part).key);
  return found == state.values.end() ? LinearValue::unknown() : found->second;
}

LinearValue LinearFlow::textLength(const LinearValue& at, const LinearState& state) {
  // Symbols have those of other lengths in them: without a limit each could be twice as long.
  constexpr size_t kMostText = 200;
  const std::string text = at.isKnown ? at.text() : "";
  if (text.empty() || text.size() > kMostText) return LinearValue::unknown();
  return LinearValue::symbol("strlen(" + text + ")" + state.contents);
}

void LinearFlow::forget(const std::set<std::string>& symbols, const std::string& by, LinearState& state) {
  for (auto& [key, value] : state.values) {
    if (!value.mentionsOneOf(symbols)) continue;
    const std::string own = keyAt(key, by);
    if (!value.mentions(own) || !symbols.contains(own)) value = LinearValue::symbol(own + "!");
  }
  state.facts.forget(symbols);
  std::erase_if(state.rooms, [&](const auto& room) {
    return symbols.contains(room.first) || room.second.bytes.mentionsOneOf(symbols);
  });
  std::erase_if(state.texts, [&](const auto& text) {
    return symbols.contains(text.first) || text.second.length.mentionsOneOf(symbols);
  });
  std::erase_if(state.wishes, [&](const std::string& wish) { return symbols.contains(wish); });
}

void LinearFlow::change(const std::set<std::string>& keys, const std::string& by, LinearState& state) {
  if (keys.empty()) return;
  std::set<std::string> symbols;
  for (const std::string& key : keys) symbols.insert(keyAt(key, by));
  forget(symbols, by, state);
  for (const std::string& key : keys) state.values[key] = LinearValue::symbol(keyAt(key, by));
}

void LinearFlow::assign(const clang::Expr* changed, const FreePlace& place, const LinearValue& value,
                        const clang::Stmt& by, LinearState& state) const {
  const std::string id = std::to_string(by.getID(context_));
  std::set<std::string> keys;
  for (const auto& [key, other] : places_) {
    const bool isSame = key == place.key;
    const bool isChanged = changed ? mayChange(other, *changed, place) : other.variables.contains(place.root);
    if (isSame ? !value.isKnown : isChanged) keys.insert(key);
  }
  change(keys, id, state);
  if (value.isKnown && !place.key.empty() && places_.contains(place.key)) state.values[place.key] = value;
  const bool isBytes = changed && changed->getType()->isAnyCharacterType() && place.isBehind;
  if (isBytes || (changed && place.key.empty())) state.contents = id;
}

void LinearFlow::declare(const clang::VarDecl& variable, const clang::Stmt& by, LinearState& state) const {
  if (!variable.getIdentifier()) return;
  const auto* declared = variable.getCanonicalDecl();
  FreePlace place;
  place.text = variable.getName().str();
  place.key = variableKey(variable);
  place.root = declared;
  if (const auto* array = context_.getAsVariableArrayType(variable.getType())) {
    const std::string symbol = "&" + place.key;
    const int64_t size = sizeOf(array->getElementType());
    if (!array->getSizeExpr() || size == 0) return;
    const LinearValue count = valueOf(*array->getSizeExpr(), state);
    const LinearValue bytes = linearSum(LinearValue::number(0), count, size);
    if (bytes.isKnown) state.rooms[symbol] = {bytes, lineOf(by, context_), true};
    return;
  }
  if (variable.isStaticLocal()) return;
  const LinearValue value =
      variable.getInit() ? assigned(*variable.getInit(), place.key, by, state) : LinearValue::unknown();
  assign(nullptr, place, value, by, state);
}

void LinearFlow::step(const clang::Stmt& statement, LinearState& state) const {
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one)) declare(*variable, statement, state);
  } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&statement)) {
    if (!binary->isAssignmentOp()) return;
    const FreePlace place = freePlaceOf(*binary->getLHS());
    LinearValue value = LinearValue::unknown();
    if (binary->getOpcode() == clang::BO_Assign) {
      value = assigned(*binary->getRHS(), place.key, statement, state);
    } else if (binary->getOpcode() == clang::BO_AddAssign || binary->getOpcode() == clang::BO_SubAssign) {
      const clang::QualType type = binary->getLHS()->getType();
      const int64_t size = type->isPointerType() ? sizeOf(type->getPointeeType()) : 1;
      const LinearValue by = assigned(*binary->getRHS(), place.key, statement, state);
      if (size != 0)
        value = linearSum(valueOf(*binary->getLHS(), state), by,
                          binary->getOpcode() == clang::BO_SubAssign ? -size : size);
    }
    assign(binary->getLHS(), place, value, statement, state);
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&statement)) {
    if (!unary->isIncrementDecrementOp()) return;
    const clang::QualType type = unary->getType();
    const int64_t size = type->isPointerType() ? sizeOf(type->getPointeeType()) : 1;
    const LinearValue value = linearSum(valueOf(*unary->getSubExpr(), state),
                                        LinearValue::number(unary->isIncrementOp() ? size : -size));
    assign(unary->getSubExpr(), freePlaceOf(*unary->getSubExpr()), value, statement, state);
  } else if (const auto* made = llvm::dyn_cast<clang::CallExpr>(&statement)) {
    call(*made, state);
  }
}

/// Who decides by what a call says of a buffer has looked how long its text is.
void LinearFlow::measured(const clang::Stmt& condition, LinearState& state) const {
  if (state.texts.empty()) return;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&condition);
      call && call->getType()->isIntegerType())
    for (const clang::Expr* argument : call->arguments())
      if (argument->getType()->isPointerType())
        if (const auto target = targetOf(*argument, state)) state.texts.erase(target->base);
  for (const clang::Stmt* child : condition.children())
    if (child) measured(*child, state);
}

void LinearFlow::assume(const clang::CFGBlock& block, bool isFirst, LinearState& state) const {
  const clang::Expr* condition = branchCondition(block);
  bool holds = isFirst;
  while (condition) {
    condition = withoutHint(condition);
    const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(condition);
    if (!negation || negation->getOpcode() != clang::UO_LNot) break;
    holds = !holds;
    condition = negation->getSubExpr();
  }
  if (!condition) return;
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(condition);
  const bool isComparison = binary && binary->isComparisonOp();
  if (!isComparison && !isLinearType(condition->getType())) return;
  measured(*condition, state);
  const LinearValue left = valueOf(isComparison ? *binary->getLHS() : *condition, state);
  const LinearValue right = isComparison ? valueOf(*binary->getRHS(), state) : LinearValue::number(0);
  auto kind = isComparison ? binary->getOpcode() : clang::BO_NE;
  if (!holds) kind = clang::BinaryOperator::negateComparisonOp(kind);
  const LinearValue up = linearDifference(right, left), down = linearDifference(left, right);
  const uint32_t line = lineOf(*condition, context_);
  const LinearValue one = LinearValue::number(1);
  const bool isOfAddresses = isComparison && binary->getLHS()->getType()->isPointerType();
  if (kind == clang::BO_LE || kind == clang::BO_EQ) state.facts.addNotNegative(up, line, isOfAddresses);
  if (kind == clang::BO_GE || kind == clang::BO_EQ) state.facts.addNotNegative(down, line, isOfAddresses);
  if (kind == clang::BO_LT) state.facts.addNotNegative(linearDifference(up, one), line, isOfAddresses);
  if (kind == clang::BO_GT) state.facts.addNotNegative(linearDifference(down, one), line, isOfAddresses);
  if (kind == clang::BO_NE) state.facts.addNotZero(up);
}

LinearState LinearFlow::behind(const clang::CFGBlock& block, LinearState state,
                               const Visitor* visitor) const {
  for (const clang::CFGElement& element : block) {
    const auto part = element.getAs<clang::CFGStmt>();
    if (!part) continue;
    if (visitor) (*visitor)(*part->getStmt(), state);
    step(*part->getStmt(), state);
  }
  return state;
}

LinearState LinearFlow::join(const clang::CFGBlock& block,
                             const std::map<const clang::CFGBlock*, LinearState>& out) const {
  std::set<std::string>& mixed = mixed_[&block];
  const std::string id = "b" + std::to_string(block.getBlockID());
  std::optional<LinearState> all;
  std::set<const clang::CFGBlock*> seen;
  for (const clang::CFGBlock::AdjacentBlock& before : block.preds()) {
    const clang::CFGBlock* from = before.getReachableBlock();
    const auto known = from ? out.find(from) : out.end();
    if (known == out.end() || from->hasNoReturnElement() || !seen.insert(from).second) continue;
    LinearState state = known->second;
    const bool isTwo = from->succ_size() == 2;
    const bool isFirst = isTwo && from->succ_begin()->getReachableBlock() == &block;
    const bool isSecond = isTwo && (from->succ_begin() + 1)->getReachableBlock() == &block;
    if (isFirst != isSecond) assume(*from, isFirst, state);
    if (!all) {
      all = std::move(state);
      continue;
    }
    for (const auto& [key, value] : state.values)
      if (value != all->values.at(key)) mixed.insert(key);
    std::erase_if(all->rooms, [&](const auto& room) {
      const auto other = state.rooms.find(room.first);
      return other == state.rooms.end() || other->second != room.second;
    });
    std::erase_if(all->texts, [&](const auto& text) {
      const auto other = state.texts.find(text.first);
      return other == state.texts.end() || other->second != text.second;
    });
    all->wishes.insert(state.wishes.begin(), state.wishes.end());
    all->facts.meet(state.facts);
    if (all->contents != state.contents) all->contents = id;
  }
  if (!all) return begin();
  change(mixed, id, *all);
  return *all;
}

void LinearFlow::visit(const Visitor& visitor) {
  constexpr unsigned kMostRounds = 12;
  if (!graph_) return;
  std::vector<const clang::CFGBlock*> order(graph_->begin(), graph_->end());
  std::sort(order.begin(), order.end(), FromEntry());
  std::map<const clang::CFGBlock*, LinearState> in, out;
  bool isChanged = true;
  for (unsigned round = 0; isChanged; ++round) {
    if (round == kMostRounds) return;
    isChanged = false;
    for (const clang::CFGBlock* block : order) {
      const bool isReached = block == &graph_->getEntry() ||
                             std::any_of(block->pred_begin(), block->pred_end(), [&](const auto& before) {
                               const clang::CFGBlock* from = before.getReachableBlock();
                               return from && out.contains(from) && !from->hasNoReturnElement();
                             });
      if (!isReached) continue;
      LinearState state = block == &graph_->getEntry() ? begin() : join(*block, out);
      const auto known = in.find(block);
      if (known != in.end() && known->second.values == state.values && known->second.facts == state.facts &&
          known->second.rooms == state.rooms && known->second.texts == state.texts &&
          known->second.wishes == state.wishes && known->second.contents == state.contents)
        continue;
      isChanged = true;
      in[block] = state;
      out[block] = behind(*block, std::move(state), nullptr);
    }
  }
  for (const clang::CFGBlock* block : order)
    if (const auto known = in.find(block); known != in.end()) behind(*block, known->second, &visitor);
}

}  // namespace heddle
