#include "analysis/survey/lock_place.h"

#include "analysis/survey/data_name.h"

namespace heddle {
namespace {

/// Writes expressions without casts and parentheses; empty: too complicated.
class Writer {
 public:
  explicit Writer(LockPlace& place) : place_(place) {}

  /// What the pointer points to.
  std::string target(const clang::Expr& pointer) {
    const clang::Expr* stripped = pointer.IgnoreParenCasts();
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(stripped);
        address && address->getOpcode() == clang::UO_AddrOf)
      return lvalue(*address->getSubExpr());
    if (stripped->getType()->isArrayType()) {
      const std::string array = lvalue(*stripped);
      return array.empty() ? "" : array + "[0]";
    }
    const std::string value = lvalue(*stripped);
    return value.empty() ? "" : "*" + value;
  }

  std::string lvalue(const clang::Expr& expression) {
    const clang::Expr* stripped = expression.IgnoreParenCasts();
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(stripped)) return variable(*reference);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(stripped)) return memberText(*member);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(stripped);
        unary && unary->getOpcode() == clang::UO_Deref)
      return target(*unary->getSubExpr());
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(stripped)) {
      const std::string base = lvalue(*element->getBase());
      const std::string index = indexText(*element->getIdx());
      return base.empty() || index.empty() ? "" : base + "[" + index + "]";
    }
    return "";
  }

 private:
  std::string variable(const clang::DeclRefExpr& reference) {
    const clang::ValueDecl* declared = reference.getDecl();
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
    if (!variable) return "";
    if (variable->hasLocalStorage()) place_.variables.insert(variable);
    if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable))
      place_.parameter = static_cast<int>(parameter->getFunctionScopeIndex());
    return variable->getName().str();
  }

  std::string memberText(const clang::MemberExpr& member) {
    std::string base = member.isArrow() ? target(*member.getBase()) : lvalue(*member.getBase());
    if (base.empty()) return "";
    const std::string field = member.getMemberDecl()->getName().str();
    if (base.front() == '*') return base.substr(1) + "->" + field;
    if (field.empty()) return base;  // of an unnamed structure
    return base + "." + field;
  }

  std::string indexText(const clang::Expr& index) {
    const clang::Expr* stripped = index.IgnoreParenCasts();
    if (const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(stripped))
      return std::to_string(number->getValue().getZExtValue());
    const int begin = place_.parameter;
    const std::string text = lvalue(*stripped);
    place_.parameter = begin;  // the text does not begin with it
    return text;
  }

  LockPlace& place_;
};

/// "struct.member", or a global variable's name.
std::string sharedName(const clang::Expr& pointer) {
  const clang::Expr* stripped = pointer.IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(stripped);
      address && address->getOpcode() == clang::UO_AddrOf)
    stripped = address->getSubExpr()->IgnoreParenCasts();
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(stripped))
    stripped = element->getBase()->IgnoreParenCasts();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(stripped)) {
    const std::string name = memberName(*member);
    return name.starts_with('.') ? "" : name;  // of a structure without a name, which others cannot mean
  }
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(stripped);
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->hasGlobalStorage() ? variable->getName().str() : "";
}

}  // namespace

std::optional<LockPlace> lockPlaceOf(const clang::Expr& expression) {
  LockPlace place;
  place.text = Writer(place).target(expression);
  if (place.text.empty()) return std::nullopt;
  place.name = sharedName(expression);
  if (place.parameter < 0) return place;
  const size_t begin = place.text.find_first_of("-.[");
  if (place.text.front() == '*' && place.text.find('*', 1) == std::string::npos && begin == std::string::npos)
    place.suffix.clear();
  else if (begin != std::string::npos && place.text[begin] == '-')
    place.suffix = place.text.substr(begin);
  else
    place.parameter = -1;  // a parameter that is a structure, or points to a pointer
  return place;
}

std::optional<LockPlace> placeInCaller(const LockPlace& place, const clang::CallExpr& call) {
  const auto index = static_cast<unsigned>(place.parameter);
  if (place.parameter < 0 || index >= call.getNumArgs()) return std::nullopt;
  std::optional<LockPlace> found = lockPlaceOf(*call.getArg(index));
  if (!found) return std::nullopt;
  if (place.suffix.empty()) return found;
  found->name = place.name;
  if (found->text.front() == '*')
    found->text = found->text.substr(1) + place.suffix;
  else
    found->text += "." + place.suffix.substr(2);
  if (found->parameter >= 0) {
    const size_t begin = found->text.find("->");
    found->suffix = begin == std::string::npos ? "" : found->text.substr(begin);
    if (begin == std::string::npos) found->parameter = -1;
  }
  return found;
}

bool restsOn(const LockPlace& place, const clang::Expr& expression) {
  const clang::Expr* stripped = expression.IgnoreParenCasts();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(stripped))
    return place.variables.contains(reference->getDecl());
  LockPlace changed;
  const std::string text = Writer(changed).lvalue(*stripped);
  if (text == place.text) return true;
  return !text.empty() && text.size() < place.text.size() && place.text.starts_with(text) &&
         (place.text[text.size()] == '-' || place.text[text.size()] == '.' || place.text[text.size()] == '[');
}

}  // namespace heddle
