#include "analysis/survey/free_place.h"

#include "analysis/survey/tested_call.h"

namespace heddle {
namespace {

const clang::Expr* addressedBy(const clang::Expr& pointer) {
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(pointer.IgnoreParenCasts());
  return address && address->getOpcode() == clang::UO_AddrOf ? address->getSubExpr() : nullptr;
}

class FreePlaceWriter {
 public:
  explicit FreePlaceWriter(FreePlace& place) : place_(place) {}

  std::string write(const clang::Expr& expression) {
    const clang::Expr* part = expression.IgnoreParenCasts();
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part)) return variable(*reference);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(part)) return memberText(*member);
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(part)) return elementText(*element);
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(part);
    if (!unary || unary->getOpcode() != clang::UO_Deref) return "";
    if (const clang::Expr* direct = addressedBy(*unary->getSubExpr())) return write(*direct);
    place_.isBehind = true;
    const std::string pointer = write(*unary->getSubExpr());
    place_.member = nullptr;
    return pointer.empty() ? "" : "*" + pointer;
  }

 private:
  std::string variable(const clang::DeclRefExpr& reference) {
    const auto* declared = llvm::dyn_cast<clang::VarDecl>(reference.getDecl());
    if (!declared || !declared->getIdentifier()) return "";
    declared = declared->getCanonicalDecl();
    if (!isInIndex_) place_.root = declared;
    place_.variables.insert(declared);
    return declared->getName().str();
  }

  std::string memberText(const clang::MemberExpr& member) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
    if (!field) return "";
    const clang::Expr* base = member.getBase();
    bool isArrow = member.isArrow();
    if (const clang::Expr* direct = isArrow ? addressedBy(*base) : nullptr) {
      base = direct;
      isArrow = false;
    }
    if (const auto* pointed = llvm::dyn_cast<clang::UnaryOperator>(base->IgnoreParenCasts());
        !isArrow && pointed && pointed->getOpcode() == clang::UO_Deref) {
      base = pointed->getSubExpr();
      isArrow = true;
    }
    std::string text = write(*base);
    if (text.empty() || (isArrow && base->IgnoreParenCasts()->getType()->isArrayType())) return "";
    place_.isBehind |= isArrow;
    if (!field->getIdentifier()) return isArrow ? "" : text;  // of a structure without a name
    if (text.front() == '*') text = "(" + text + ")";
    place_.member = field;
    place_.members.insert(field);
    return text + (isArrow ? "->" : ".") + field->getName().str();
  }

  std::string elementText(const clang::ArraySubscriptExpr& element) {
    const std::string base = write(*element.getBase());
    place_.isBehind |= !element.getBase()->IgnoreParenCasts()->getType()->isArrayType();
    place_.member = nullptr;
    const std::string index = base.empty() ? "" : indexText(*element.getIdx());
    return index.empty() ? "" : base + "[" + index + "]";
  }

  std::string indexText(const clang::Expr& index) {
    const clang::Expr* part = index.IgnoreParenCasts();
    if (const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(part))
      return std::to_string(number->getValue().getLimitedValue());
    const bool isInIndex = isInIndex_, isBehind = place_.isBehind;
    isInIndex_ = true;
    std::string text = write(*part);
    isInIndex_ = isInIndex;
    place_.isBehind = isBehind;
    place_.member = nullptr;
    return text;
  }

  FreePlace& place_;
  bool isInIndex_ = false;
};

}  // namespace

std::string variableKey(const clang::VarDecl& variable) {
  return std::to_string(variable.getCanonicalDecl()->getID()) + ":" + variable.getName().str();
}

FreePlace freePlaceOf(const clang::Expr& expression) {
  FreePlace place;
  place.text = FreePlaceWriter(place).write(expression);
  if (place.text.empty() || !place.root) return {};
  place.key = std::to_string(place.root->getID()) + ":" + place.text;
  return place;
}

const clang::Expr* touchedPlace(const clang::Stmt& statement) {
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&statement);
      cast && cast->getCastKind() == clang::CK_LValueToRValue)
    return cast->getSubExpr();
  if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&statement);
      assignment && assignment->isAssignmentOp())
    return assignment->getLHS();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&statement);
      unary && unary->isIncrementDecrementOp())
    return unary->getSubExpr();
  return nullptr;
}

const clang::Expr* leadingPointer(const clang::Expr& expression) {
  const clang::Expr* place = expression.IgnoreParens();
  while (true) {
    const clang::Expr* pointer = nullptr;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
      if (!member->isArrow()) {
        place = member->getBase()->IgnoreParens();
        continue;
      }
      pointer = member->getBase();
    } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      pointer = element->getBase();
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(place);
               unary && unary->getOpcode() == clang::UO_Deref) {
      pointer = unary->getSubExpr();
    } else {
      return nullptr;
    }
    // An array that lies in what another pointer leads to.
    const auto* decayed = llvm::dyn_cast<clang::CastExpr>(pointer->IgnoreParens());
    if (!decayed || decayed->getCastKind() != clang::CK_ArrayToPointerDecay) return pointer;
    place = decayed->getSubExpr()->IgnoreParens();
  }
}

bool isWithin(const std::string& place, const std::string& text) {
  if (text.empty() || !place.starts_with(text)) return false;
  if (place.size() == text.size()) return true;
  const char next = place[text.size()];
  return next == '-' || next == '.' || next == '[';
}

bool mayChange(const FreePlace& place, const clang::Expr& changed) {
  return mayChange(place, changed, freePlaceOf(changed));
}

bool mayChange(const FreePlace& place, const clang::Expr& changed, const FreePlace& other) {
  if (other.isVariable()) return place.variables.contains(other.root);
  if (isWithin(place.key, other.key)) return true;
  if (place.isLocal() && other.isLocal()) return false;
  // Another name of the same object, or all of an object.
  if (other.member) return place.members.contains(other.member);
  if (place.isVariable() && place.isLocal()) return false;
  return changed.getType()->isPointerType() || changed.getType()->isRecordType();
}

std::optional<std::pair<std::string, bool>> nullTestOf(const clang::CFGBlock& block,
                                                       clang::ASTContext& context) {
  const auto* last = branchCondition(block);
  if (!last) return std::nullopt;
  bool isNullFirst = false;
  const clang::Expr* condition = last->IgnoreParenCasts();
  while (true) {
    if (const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(condition);
        negation && negation->getOpcode() == clang::UO_LNot) {
      isNullFirst = !isNullFirst;
      condition = negation->getSubExpr()->IgnoreParenCasts();
      continue;
    }
    const auto* call = llvm::dyn_cast<clang::CallExpr>(condition);
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || !callee->getIdentifier() || !callee->getName().starts_with("__builtin_expect")) break;
    condition = call->getArg(0)->IgnoreParenCasts();
  }
  if (const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(condition)) {
    if (!comparison->isEqualityOp() ||
        !comparison->getRHS()->isNullPointerConstant(context, clang::Expr::NPC_ValueDependentIsNotNull))
      return std::nullopt;
    if (comparison->getOpcode() == clang::BO_EQ) isNullFirst = !isNullFirst;
    condition = comparison->getLHS()->IgnoreParenCasts();
  }
  if (!condition->getType()->isPointerType()) return std::nullopt;
  std::string key = freePlaceOf(*condition).key;
  return key.empty() ? std::nullopt : std::optional(std::pair(std::move(key), isNullFirst));
}

}  // namespace heddle
