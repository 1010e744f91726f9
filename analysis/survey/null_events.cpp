// What happens to one pointer: from its place in the text up to where its value goes.
#include "analysis/survey/null_flow.h"

namespace heddle {
namespace {

using NullKind = NullEvent::Kind;

bool isConditionOf(const clang::Stmt* parent, const clang::Expr* part) {
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(parent)) return branch->getCond() == part;
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(parent)) return loop->getCond() == part;
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(parent)) return loop->getCond() == part;
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(parent)) return loop->getCond() == part;
  if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(parent))
    return choice->getCond() == part;
  const auto* both = llvm::dyn_cast<clang::BinaryOperator>(parent);
  return both && both->isLogicalOp();
}

}  // namespace

/// Of a part of what the pointer leads to. True: the event is complete.
bool NullFlow::climbPlace(const clang::Stmt* parent, const clang::Expr*& at, NullEvent& event,
                          bool& isPlace) const {
  const auto done = [&](const clang::Stmt& where) {
    event.kind = NullKind::Used;
    event.at = &where;
    event.place = where.getBeginLoc();
    return true;
  };
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(parent)) {
    if (cast->getCastKind() == clang::CK_LValueToRValue) return done(*parent);
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay) {
      isPlace = false;
      event.isInner = true;
    }
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(parent)) {
    if (unary->isIncrementDecrementOp()) return done(*parent);
    if (unary->getOpcode() == clang::UO_AddrOf) {
      isPlace = false;
      event.isInner = true;
    }
  } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(parent)) {
    if (binary->isAssignmentOp() && binary->getLHS() == at) return done(*parent);
    at = nullptr;
    return false;
  } else if (!llvm::isa<clang::ParenExpr, clang::MemberExpr>(parent)) {
    at = nullptr;
    return false;
  }
  at = llvm::cast<clang::Expr>(parent);
  return false;
}

/// Of the pointer itself, where its value goes. False: the value goes on to `at`, or is dropped with null.
bool NullFlow::finish(const clang::Stmt* parent, const clang::Expr*& at, NullEvent& event,
                      std::vector<NullEvent>& events) const {
  const auto is = [&](NullKind kind, const clang::Stmt* where) {
    event.kind = kind;
    event.at = where;
    event.place = where->getBeginLoc();
    return true;
  };
  if (isConditionOf(parent, at)) return is(NullKind::Tested, at);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(parent)) {
    if (call->getCallee() == at) return is(NullKind::Used, call);
    event.call = call;
    for (event.argument = 0; event.argument < call->getNumArgs(); ++event.argument)
      if (call->getArg(event.argument) == at) break;
    return is(NullKind::Given, call);
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(parent)) {
    if (unary->getOpcode() == clang::UO_LNot) return is(NullKind::Tested, parent);
    if (unary->isIncrementDecrementOp()) return is(NullKind::Stepped, parent);
    if (unary->getOpcode() == clang::UO_AddrOf || unary->getOpcode() == clang::UO_Extension) {
      at = unary->getOpcode() == clang::UO_Extension ? unary : nullptr;
      return false;
    }
    return is(NullKind::Copied, parent);
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(parent)) {
    const bool isLeft = binary->getLHS() == at;
    const clang::Expr* other = isLeft ? binary->getRHS() : binary->getLHS();
    if (binary->getOpcode() == clang::BO_Comma) {
      at = isLeft ? nullptr : binary;
      return false;
    }
    if (binary->isComparisonOp())
      return is(binary->isEqualityOp() && isNull(*other) ? NullKind::Tested : NullKind::Compared, parent);
    if (binary->getOpcode() == clang::BO_Assign) {
      if (!isLeft) {
        event.target = variableIn(other);
        return is(NullKind::Copied, parent);
      }
      is(NullKind::Set, parent);
      events.push_back(event);
      at = binary;  // whoever looks at the assignment's value looks at the variable
      return false;
    }
    if (binary->isAdditiveOp() && binary->getType()->isPointerType()) {
      event.isMoved = true;
      at = binary;
      return false;
    }
    return is(NullKind::Stepped, parent);
  }
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(parent)) {
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one); variable && variable->getInit() == at)
        event.target = variable;
    is(NullKind::Copied, parent);
    if (event.target) event.at = event.target;
    return true;
  }
  if (llvm::isa<clang::ReturnStmt>(parent)) return is(NullKind::Returned, parent);
  if (!llvm::isa<clang::Expr>(parent)) {
    at = nullptr;  // a statement: nobody looks at the value
    return false;
  }
  return is(NullKind::Copied, parent);
}

void NullFlow::climb(const clang::Expr& value, std::vector<NullEvent>& events) const {
  NullEvent event;
  event.of = &value;
  bool isPlace = false;
  for (const clang::Expr* at = &value; at;) {
    const clang::Stmt* parent = parents_->getParent(at);
    if (!parent) return;
    if (isPlace) {
      if (climbPlace(parent, at, event, isPlace)) return events.push_back(event);
      continue;
    }
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(parent);
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(parent);
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(parent);
    if ((member && member->isArrow()) || (element && element->getBase() == at) ||
        (unary && unary->getOpcode() == clang::UO_Deref)) {
      at = llvm::cast<clang::Expr>(parent);
      const bool isFunction = at->getType()->isFunctionType();
      isPlace = !isFunction;  // `(*hook)()` is `hook()`
    } else if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(parent)) {
      if (cast->getCastKind() == clang::CK_ToVoid) return;
      if (cast->getCastKind() == clang::CK_PointerToBoolean ||
          cast->getCastKind() == clang::CK_PointerToIntegral) {
        event.kind =
            cast->getCastKind() == clang::CK_PointerToBoolean ? NullKind::Tested : NullKind::Compared;
        event.at = parent;
        event.place = parent->getBeginLoc();
        return events.push_back(event);
      }
      at = cast;
    } else if (llvm::isa<clang::ParenExpr>(parent)) {
      at = llvm::cast<clang::Expr>(parent);
    } else if (finish(parent, at, event, events)) {
      return events.push_back(event);
    }
  }
}

/// A variable that begins as another one, and both are never set again, is the other one.
void NullFlow::addAliases(const std::vector<const clang::DeclRefExpr*>& references) {
  const auto isFixed = [&](const clang::VarDecl& variable) {
    if (escaped_.contains(&variable)) return false;
    for (const NullEvent& event : events_[&variable])
      if ((event.kind == NullKind::Set && event.at != &variable) || (event.kind == NullKind::Stepped))
        return false;
    return true;
  };
  for (const clang::DeclRefExpr* reference : references) {
    const auto* original = llvm::cast<clang::VarDecl>(reference->getDecl());
    std::vector<NullEvent>& of = events_[original];
    for (size_t i = 0; i < of.size(); ++i) {
      const clang::VarDecl* alias = of[i].target;
      if (of[i].of != reference || of[i].kind != NullKind::Copied || !alias || of[i].isInner ||
          of[i].isMoved || of[i].at != alias || !alias->hasLocalStorage() || !isFixed(*alias) ||
          !isFixed(*original))
        continue;
      of.erase(of.begin() + static_cast<std::ptrdiff_t>(i));
      for (const NullEvent& event : events_[alias])
        if (event.kind != NullKind::Set) events_[original].push_back(event);
      aliases_[alias] = original;
      break;
    }
  }
}

}  // namespace heddle
