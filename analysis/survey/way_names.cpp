#include "analysis/survey/way_names.h"

#include "analysis/survey/way_facts.h"

namespace heddle {
namespace {

/// What an assignment to the expression changes; null: it has no name.
const clang::ValueDecl* changedName(const clang::Expr& place) {
  const clang::Expr* part = place.IgnoreParenCasts();
  while (true) {
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(part))
      part = element->getBase()->IgnoreParenCasts();
    else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(part);
             unary && unary->getOpcode() == clang::UO_Deref)
      part = unary->getSubExpr()->IgnoreParenCasts();
    else
      break;
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(part)) return member->getMemberDecl();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part);
  return reference ? reference->getDecl() : nullptr;
}

}  // namespace

void addRead(const clang::Stmt& part, bool withCalls, NameSet& names) {
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(part)) return;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&part)) {
    if (!llvm::isa<clang::EnumConstantDecl>(reference->getDecl())) names.insert(reference->getDecl());
    return;
  }
  if (llvm::isa<clang::CallExpr>(part) && !withCalls) return;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&part)) {
    names.insert(member->getMemberDecl());
    // The object has many members.
    if (llvm::isa<clang::DeclRefExpr>(member->getBase()->IgnoreParenCasts())) return;
  }
  for (const clang::Stmt* child : part.children())
    if (child) addRead(*child, withCalls, names);
}

void addChangedBy(const clang::Stmt& part, NameSet& names) {
  const clang::Expr* place = nullptr;
  if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&part);
      assignment && assignment->isAssignmentOp())
    place = assignment->getLHS();
  else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&part);
           unary && (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf))
    place = unary->getSubExpr();
  if (const clang::ValueDecl* name = place ? changedName(*place) : nullptr) names.insert(name);
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&part))
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one); variable && variable->getInit())
        names.insert(variable);
}

void addChanged(const clang::Stmt& part, NameSet& names) {
  addChangedBy(part, names);
  for (const clang::Stmt* child : part.children())
    if (child) addChanged(*child, names);
}

void WayNames::addSources(NameSet& names) const {
  constexpr int kMostSteps = 2;
  for (int step = 0; step < kMostSteps; ++step) {
    NameSet more;
    for (const clang::ValueDecl* name : names)
      if (const auto found = sources_.find(name); found != sources_.end())
        more.insert(found->second.begin(), found->second.end());
    names.insert(more.begin(), more.end());
  }
}

const clang::Stmt* WayNames::loopOf(const clang::Expr& condition) const {
  const auto found = loops_.find(&condition);
  return found == loops_.end() ? nullptr : found->second;
}

void WayNames::addLoop(const clang::Stmt& part, const clang::Stmt& loop) {
  loops_[&part] = &loop;
  for (const clang::Stmt* child : part.children())
    if (child) addLoop(*child, loop);
}

void WayNames::add(const clang::Stmt& part) {
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(&part);
      address && address->getOpcode() == clang::UO_AddrOf) {
    if (const clang::VarDecl* variable = localNamed(address->getSubExpr())) escaped_.insert(variable);
  } else if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&part);
             assignment && assignment->isAssignmentOp()) {
    if (const clang::ValueDecl* name = changedName(*assignment->getLHS()))
      addRead(*assignment->getRHS(), false, sources_[name]);
  } else if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&part)) {
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one); variable && variable->getInit())
        addRead(*variable->getInit(), false, sources_[variable]);
  } else if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&part)) {
    if (loop->getCond()) addLoop(*loop->getCond(), *loop);
  } else if (const auto* turns = llvm::dyn_cast<clang::WhileStmt>(&part)) {
    if (turns->getCond()) addLoop(*turns->getCond(), *turns);
  }
  for (const clang::Stmt* child : part.children())
    if (child) add(*child);
}

}  // namespace heddle
