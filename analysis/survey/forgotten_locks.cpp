// What FunctionPaths does not know any more of locks: another function had them, or the text that means them
// means something else.
#include "analysis/survey/function_paths.h"

namespace heddle {

void FunctionPaths::forgetGiven(const clang::CallExpr& call, States& states) const {
  const bool isKnown = hasWord(call.getDirectCallee()->getName(), {"destroy", "init"});
  if (isKnown || !hasLockArgument(call)) return;
  const auto place = lockPlaceOf(*lockArgument(call));
  if (const auto known = place ? states.find(place->text) : states.end(); known != states.end())
    known->second.bits = kUnknown;
}

void FunctionPaths::forgetReleased(const clang::CallExpr& call, bool isKnown, const States& before,
                                   States& states) const {
  const llvm::StringRef name = call.getDirectCallee()->getName();
  const bool isRelease =
      isKnown ? hasWord(name, {"unlock"}) : hasWord(name, {"unlock", "release", "disconnect", "close"});
  if (!isRelease) return;
  for (const clang::Expr* argument : call.arguments()) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(argument->IgnoreParenCasts());
    if (!reference || !reference->getType()->isPointerType()) continue;
    for (auto& [text, state] : states) {
      const auto known = before.find(text);
      const bool isSame = known != before.end() && known->second.bits == state.bits;
      if (isSame && state.isHeld() && ways_.places.at(text).variables.contains(reference->getDecl()))
        state.bits = kUnknown;
    }
  }
}

/// A function that is given a variable may change what it leads to, and the variable itself by its address.
/// `isKnown`: what it does to locks that its parameters lead to at once, its summary tells.
void FunctionPaths::forgetLed(const clang::CallExpr& call, bool isKnown, States& states) const {
  for (const clang::Expr* argument : call.arguments()) {
    const clang::Expr* given = argument->IgnoreParenCasts();
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(given);
    const bool isAddress = address && address->getOpcode() == clang::UO_AddrOf;
    if (isAddress) given = address->getSubExpr()->IgnoreParenCasts();
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(given);
    if (!reference || (!isAddress && !reference->getType()->isPointerType())) continue;
    for (auto& [text, state] : states) {
      const LockPlace& place = ways_.places.at(text);
      if (!place.variables.contains(reference->getDecl())) continue;
      // An object in the variable is no pointer that could lead elsewhere.
      const bool isObject = isAddress && !reference->getType()->isPointerType();
      const size_t first = text.find("->");
      const bool isFar = first != std::string::npos && text.find("->", first + 1) != std::string::npos;
      const bool mayDiffer =
          isObject ? first != std::string::npos || !isKnown : isAddress || isFar || !isKnown;
      if (!mayDiffer) continue;
      if (isAddress && !isObject)
        state.bits = kUnknown;
      else if ((state.bits & (kDestroyed | kBegun)) != 0)
        state.bits |= kUnknown;
    }
  }
}

void FunctionPaths::forget(const clang::Expr& changed, States& states) const {
  for (auto& [text, state] : states)
    if (restsOn(ways_.places.at(text), changed)) state.bits = kUnknown;
}

void FunctionPaths::forget(const clang::DeclStmt& declared, States& states) const {
  for (const clang::Decl* declaration : declared.decls()) {
    const auto* value = llvm::dyn_cast<clang::ValueDecl>(declaration);
    for (auto& [text, state] : states)
      if (value && ways_.places.at(text).variables.contains(value)) state.bits = kUnknown;
  }
}

}  // namespace heddle
