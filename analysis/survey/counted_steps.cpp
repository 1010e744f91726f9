#include "analysis/survey/counted_steps.h"

#include <algorithm>
#include <set>

#include "analysis/support/name_words.h"

namespace heddle {
namespace {

/// A count of references, by the name of the member; null: none.
const clang::MemberExpr* countMember(const clang::Expr& expression) {
  const clang::Expr* stripped = expression.IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(stripped);
      address && address->getOpcode() == clang::UO_AddrOf)
    stripped = address->getSubExpr()->IgnoreParenCasts();
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(stripped);
  for (const auto* part = member; part;
       part = llvm::dyn_cast<clang::MemberExpr>(part->getBase()->IgnoreParenCasts())) {
    const clang::ValueDecl* declared = part->getMemberDecl();
    if (!declared->getIdentifier()) continue;
    const llvm::StringRef name = declared->getName();
    if (name.contains_insensitive("refc") || name.contains_insensitive("refs") ||
        hasWord(name, {"ref", "rc", "reference", "references"}))
      return member;
  }
  return nullptr;
}

/// A function that raises the count of the object that it is given.
bool raisesByName(llvm::StringRef name) {
  if (hasWord(name, {"incref", "addref", "upref", "retain"})) return true;
  if (!name.ends_with_insensitive("_ref") && !name.ends_with_insensitive("_reference")) return false;
  return hasWord(name, {"inc", "incr", "add", "up", "take", "acquire", "grab", "hold"}) ||
         !hasWord(name,
                  {"un",     "drop", "put", "release", "free", "del",  "delete", "clear",  "set",  "close",
                   "remove", "rem",  "sub", "dec",     "decr", "down", "kill",   "end",    "is",   "has",
                   "to",     "get",  "new", "create",  "make", "init", "return", "lookup", "find", "cell"});
}

}  // namespace

llvm::StringRef countedCallName(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  return callee && callee->getIdentifier() ? callee->getName() : "";
}

const clang::VarDecl* countedRoot(const clang::Expr* place) {
  while (place) {
    place = place->IgnoreParenCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
      place = member->getBase();
    } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      place = element->getBase();
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(place)) {
      if (unary->getOpcode() != clang::UO_Deref && unary->getOpcode() != clang::UO_AddrOf) return nullptr;
      place = unary->getSubExpr();
    } else {
      const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(place);
      const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
      return variable ? variable->getCanonicalDecl() : nullptr;
    }
  }
  return nullptr;
}

const clang::VarDecl* countedPointer(const clang::Expr& expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenCasts());
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  const bool isPointer = variable && variable->hasLocalStorage() && variable->getType()->isPointerType();
  return isPointer ? variable->getCanonicalDecl() : nullptr;
}

bool isObjectPart(const clang::Expr& expression) {
  const clang::Expr* stripped = expression.IgnoreParenCasts();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(stripped))
    return unary->getOpcode() == clang::UO_Deref;
  return llvm::isa<clang::MemberExpr, clang::ArraySubscriptExpr>(stripped);
}

std::pair<const clang::Expr*, CountChange> countChangeOf(const clang::Stmt& statement) {
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&statement);
      unary && unary->isIncrementDecrementOp())
    return {unary->getSubExpr(), unary->isIncrementOp() ? CountChange::Raised : CountChange::Lowered};
  if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(&statement)) {
    if (compound->getOpcode() == clang::BO_AddAssign) return {compound->getLHS(), CountChange::Raised};
    if (compound->getOpcode() == clang::BO_SubAssign) return {compound->getLHS(), CountChange::Lowered};
  }
  if (const auto* operation = llvm::dyn_cast<clang::AtomicExpr>(&statement)) {
    const llvm::StringRef name = operation->getOpAsString();
    const CountChange change = name.contains("_add")
                                   ? CountChange::Raised
                                   : (name.contains("_sub") ? CountChange::Lowered : CountChange::None);
    return {operation->getPtr(), change};
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement);
  if (!call || call->getNumArgs() == 0) return {nullptr, CountChange::None};
  const llvm::StringRef name = countedCallName(*call).rtrim("0123456789");  // atomic_increment32
  if (hasWord(name, {"sub", "dec", "decr", "decrement"})) return {call->getArg(0), CountChange::Lowered};
  if (hasWord(name, {"add", "inc", "incr", "increment"})) return {call->getArg(0), CountChange::Raised};
  return {nullptr, CountChange::None};
}

const clang::VarDecl* countRaisedBy(const clang::Stmt& statement) {
  const auto [changed, change] = countChangeOf(statement);
  if (change == CountChange::Raised && countMember(*changed)) {
    const clang::VarDecl* object = countedRoot(changed);
    if (object && object->hasLocalStorage()) return object;
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement);
  if (!call || call->getNumArgs() == 0 || !raisesByName(countedCallName(*call))) return nullptr;
  for (const clang::Expr* argument : call->arguments())
    if (const clang::VarDecl* object = countedPointer(*argument)) return object;
  return nullptr;
}

namespace {

bool raisesIn(const clang::Stmt* part, std::set<const clang::FunctionDecl*>& seen) {
  if (!part) return false;
  const auto [changed, change] = countChangeOf(*part);
  if (change == CountChange::Raised && countMember(*changed)) return true;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(part)) {
    if (raisesByName(countedCallName(*call))) return true;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::FunctionDecl* body = callee ? callee->getDefinition() : nullptr;
    constexpr size_t kMostFunctions = 20;
    if (body && seen.size() < kMostFunctions && seen.insert(body).second && raisesIn(body->getBody(), seen))
      return true;
  }
  return std::any_of(part->child_begin(), part->child_end(),
                     [&](const clang::Stmt* child) { return raisesIn(child, seen); });
}

}  // namespace

bool raisesSomeCount(const clang::FunctionDecl& function) {
  std::set<const clang::FunctionDecl*> seen = {&function};
  return raisesIn(function.getBody(), seen);
}

bool isOnceType(clang::QualType type) {
  const auto* named = type->getAs<clang::TypedefType>();
  while (named) {
    const llvm::StringRef name = named->getDecl()->getName();
    if (name == "pthread_once_t" || name == "once_flag") return true;
    named = named->getDecl()->getUnderlyingType()->getAs<clang::TypedefType>();
  }
  return false;
}

const clang::VarDecl* processData(const clang::Expr& expression) {
  const clang::Expr* stripped = expression.IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(stripped);
      address && address->getOpcode() == clang::UO_AddrOf)
    stripped = address->getSubExpr()->IgnoreParenCasts();
  // A count may be a structure with a number inside.
  while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(stripped))
    stripped = member->getBase()->IgnoreParenCasts();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(stripped);
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->hasGlobalStorage() ? variable->getCanonicalDecl() : nullptr;
}

}  // namespace heddle
