#include "analysis/survey/lock_ends.h"

#include <algorithm>
#include <optional>

#include "analysis/survey/lock_calls.h"
#include "analysis/survey/type_survey.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace heddle {

class LockEndVisitor : public clang::RecursiveASTVisitor<LockEndVisitor> {
 public:
  explicit LockEndVisitor(LockEnds::Known& known) : known_(known) {}

  // NOLINTBEGIN(readability-identifier-naming): names that Clang calls
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (!variable->hasLocalStorage() || !variable->getInit()) return true;
    if (const auto parameter = parameterIn(*variable->getInit())) aliases_[variable] = *parameter;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier()) return true;
    const llvm::StringRef name = callee->getName();
    const bool isOfLock = hasLockArgument(*call) && !name.contains_insensitive("attr");
    if (isOfLock && hasWord(name, {"destroy", "init"})) {
      const auto parameter = ownerOf(*lockArgument(*call));
      if (!parameter) return true;
      if (hasWord(name, {"init"}))
        known_.begins.insert(*parameter);
      else if (depth_ == 0)
        known_.ends.insert(*parameter);
    }
    for (unsigned i = 0; i < call->getNumArgs(); ++i)
      if (const auto parameter = partIn(*call->getArg(i)))
        known_.passed.push_back({*parameter, name.str(), i, depth_ == 0});
    return true;
  }
  /// What only some ways destroy is another's as well; whether there is an object at all says nothing.
  bool TraverseIfStmt(clang::IfStmt* branch) {
    TraverseStmt(branch->getInit());
    TraverseStmt(branch->getConditionVariableDeclStmt());
    TraverseStmt(branch->getCond());
    const bool isOfObject = testsParameter(*branch->getCond());
    depth_ += isOfObject ? 0 : 1;
    TraverseStmt(branch->getThen());
    TraverseStmt(branch->getElse());
    depth_ -= isOfObject ? 0 : 1;
    return true;
  }
  bool TraverseSwitchStmt(clang::SwitchStmt* choice) {
    ++depth_;
    TraverseStmt(choice->getBody());
    --depth_;
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  using Parameter = std::optional<unsigned>;

  /// The parameter, or the variable that holds it.
  Parameter parameterIn(const clang::Expr& expression) const {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenCasts());
    if (!reference) return std::nullopt;
    if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl()))
      return parameter->getFunctionScopeIndex();
    const auto alias = aliases_.find(reference->getDecl());
    return alias == aliases_.end() ? std::nullopt : Parameter(alias->second);
  }

  /// The parameter that points to the object which `place` is a part of.
  Parameter ofPart(const clang::Expr& place) const {
    const clang::Expr* part = place.IgnoreParenCasts();
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(part)) {
      const auto pointed = parameterIn(*element->getBase());
      return pointed ? pointed : ofPart(*element->getBase());
    }
    if (const auto* target = llvm::dyn_cast<clang::UnaryOperator>(part);
        target && target->getOpcode() == clang::UO_Deref)
      return parameterIn(*target->getSubExpr());
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(part);
    if (!member) return std::nullopt;
    return member->isArrow() ? parameterIn(*member->getBase()) : ofPart(*member->getBase());
  }

  /// The object, or a part of it, that an argument points to.
  Parameter partIn(const clang::Expr& argument) const {
    const clang::Expr* stripped = argument.IgnoreParenCasts();
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(stripped);
        address && address->getOpcode() == clang::UO_AddrOf)
      return ofPart(*address->getSubExpr());
    return stripped->getType()->isPointerType() ? parameterIn(*stripped) : std::nullopt;
  }

  /// A pointer to a lock is as much of its object as a lock is.
  Parameter ownerOf(const clang::Expr& lock) const {
    const auto embedded = partIn(lock);
    return embedded ? embedded : ofPart(lock);
  }

  bool testsParameter(const clang::Expr& condition) const {
    const clang::Expr* test = condition.IgnoreParenCasts();
    if (const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(test);
        comparison && comparison->isEqualityOp())
      return parameterIn(*comparison->getLHS()) && comparison->getLHS()->getType()->isPointerType();
    return test->getType()->isPointerType() && parameterIn(*test);
  }

  LockEnds::Known& known_;
  std::map<const clang::ValueDecl*, unsigned> aliases_;
  unsigned depth_ = 0;  // of branches around
};

void LockEnds::add(const clang::FunctionDecl& function) {
  LockEndVisitor(known_[function.getName().str()]).TraverseStmt(function.getBody());
}

void LockEnds::close() {
  if (std::exchange(isClosed_, true)) return;
  for (bool isStable = false; !isStable;) {
    isStable = true;
    for (auto& [name, function] : known_) {
      for (const Passed& passed : function.passed) {
        const auto callee = known_.find(passed.callee);
        if (callee == known_.end()) continue;
        const Known& other = callee->second;
        if (other.begins.contains(passed.argument))
          isStable &= !function.begins.insert(passed.parameter).second;
        if (passed.isAlways && other.ends.contains(passed.argument))
          isStable &= !function.ends.insert(passed.parameter).second;
      }
    }
  }
  // Who sets it up as well leaves it as it was, or gives up what could not be set up.
  for (auto& [name, function] : known_)
    for (const unsigned parameter : function.begins) function.ends.erase(parameter);
}

void LockEnds::addTo(std::vector<SurveyFunction>& functions) {
  close();
  for (SurveyFunction& function : functions)
    if (const auto known = known_.find(function.name); known != known_.end())
      function.ends = known->second.ends;
}

}  // namespace heddle
