#include "analysis/survey/local_events.h"

namespace heddle {
namespace {

/// What a pointer passes through on its way to a call, unions for all kinds of addresses among it.
bool keepsPointer(const clang::Stmt& part) {
  if (llvm::isa<clang::ParenExpr, clang::CastExpr>(part)) return true;
  if (!llvm::isa<clang::InitListExpr, clang::CompoundLiteralExpr>(part)) return false;
  return llvm::cast<clang::Expr>(part).getType()->isUnionType();
}

}  // namespace

LocalEvents::LocalEvents(const clang::ASTContext& context, clang::Stmt& body)
    : context_(context), parents_(&body) {
  add(body);
}

const std::vector<LocalEvent>* LocalEvents::at(const clang::Stmt& statement) const {
  const auto found = events_.find(&statement);
  return found == events_.end() ? nullptr : &found->second;
}

void LocalEvents::add(const clang::Stmt& part) {
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(&part))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        variable && variable->hasLocalStorage())
      addUse(*use, *variable);
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(part)) return;
  for (const clang::Stmt* child : part.children())
    if (child) add(*child);
}

void LocalEvents::addGiven(const clang::Expr& pointer, LocalEvent event) {
  const clang::Stmt* part = &pointer;
  const clang::Stmt* parent = parents_.getParent(part);
  while (parent && keepsPointer(*parent)) {
    part = parent;
    parent = parents_.getParent(part);
  }
  event.kind = LocalEvent::Kind::Set;
  if (const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(parent))
    for (unsigned i = 0; i < call->getNumArgs(); ++i)
      if (call->getArg(i) == part) {
        event.kind = LocalEvent::Kind::Given;
        event.call = call;
        event.argument = i;
        events_[call].push_back(std::move(event));
        return;
      }
  events_[&pointer].push_back(std::move(event));
}

void LocalEvents::addUse(const clang::DeclRefExpr& use, const clang::VarDecl& variable) {
  LocalEvent event{LocalEvent::Kind::Set, &variable, {}, nullptr, 0};
  const clang::Stmt* part = &use;
  const clang::Stmt* parent = parents_.getParent(part);
  for (; parent; part = parent, parent = parents_.getParent(part)) {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(parent)) {
      if (member->isArrow()) break;
      if (event.field.empty()) event.field = member->getMemberDecl()->getName().str();
      continue;
    }
    if (llvm::isa<clang::ParenExpr>(parent)) continue;
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(parent);
    if (!cast) break;
    if (cast->getCastKind() == clang::CK_LValueToRValue) {
      event.kind = LocalEvent::Kind::Read;
      events_[cast].push_back(std::move(event));
      return;
    }
    if (cast->getCastKind() != clang::CK_ArrayToPointerDecay) break;
    const auto* element = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(parents_.getParent(cast));
    if (!element || element->getBase() != cast) {
      addGiven(*cast, std::move(event));
      return;
    }
    parent = element;
  }
  const auto* unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(parent);
  if (unary && unary->getOpcode() == clang::UO_AddrOf)
    addGiven(*unary, std::move(event));
  else
    events_[parent && llvm::isa<clang::Expr>(parent) ? parent : &use].push_back(std::move(event));
}

bool LocalEvents::isStatement(const clang::Stmt& part) const {
  const clang::Stmt* parent = parents_.getParent(&part);
  if (const auto* choice = llvm::dyn_cast_or_null<clang::IfStmt>(parent)) return choice->getCond() != &part;
  if (!parent || llvm::isa<clang::LabelStmt, clang::CaseStmt, clang::DefaultStmt>(parent)) return true;
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(parent);
  if (!block) return false;
  const clang::Stmt* around = parents_.getParent(block);
  return !around || !llvm::isa<clang::StmtExpr>(around) || block->body_back() != &part;
}

CallResult LocalEvents::resultOf(const clang::CallExpr& call) const {
  const clang::Stmt* part = &call;
  const clang::Stmt* parent = parents_.getParent(part);
  while (parent && llvm::isa<clang::ParenExpr, clang::CastExpr>(parent)) {
    part = parent;
    parent = parents_.getParent(part);
  }
  // With (void) its author has decided so.
  if (isStatement(*part))
    return {part == &call ? CallResult::Kind::Dropped : CallResult::Kind::Used, nullptr};
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(parent))
    for (const clang::Decl* one : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
          variable && variable->getInit() && variable->hasLocalStorage() && variable->getInit() == part)
        return {CallResult::Kind::Kept, variable};
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(parent);
  if (!binary || binary->getOpcode() != clang::BO_Assign || binary->getRHS() != part || !isStatement(*binary))
    return {};
  const auto* left = llvm::dyn_cast<clang::DeclRefExpr>(binary->getLHS()->IgnoreParens());
  const auto* variable = left ? llvm::dyn_cast<clang::VarDecl>(left->getDecl()) : nullptr;
  return variable && variable->hasLocalStorage() ? CallResult{CallResult::Kind::Kept, variable}
                                                 : CallResult{};
}

}  // namespace heddle
