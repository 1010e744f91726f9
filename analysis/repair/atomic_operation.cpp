#include "analysis/repair/atomic_operation.h"

#include <set>

#include "analysis/repair/function_shape.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/lock_declaration.h"

namespace heddle {
namespace {

std::string pointedTo(const clang::Expr* pointer, const clang::ASTContext& context) {
  const clang::Expr* bare = pointer->IgnoreParenImpCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(bare);
      address != nullptr && address->getOpcode() == clang::UO_AddrOf)
    return printed(*address->getSubExpr()->IgnoreParens(), context);
  return "*" + printed(*bare, context);
}

const clang::ValueDecl* declarationOf(const clang::Expr* pointer) {
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(pointer->IgnoreParenImpCasts());
  if (address == nullptr || address->getOpcode() != clang::UO_AddrOf) return nullptr;
  const clang::Expr* object = address->getSubExpr()->IgnoreParenImpCasts();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(object)) return member->getMemberDecl();
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object);
  return name == nullptr ? nullptr : name->getDecl();
}

AtomicOperation described(const clang::AtomicExpr& call, const clang::ASTContext& context) {
  using Op = clang::AtomicExpr::AtomicOp;
  AtomicOperation found;
  found.expression = &call;
  found.object = pointedTo(call.getPtr(), context);
  found.declaration = declarationOf(call.getPtr());
  found.isInitialization = call.getOp() == Op::AO__c11_atomic_init;
  const auto changes = [&](AtomicOperation::Kind kind, bool isCompilers, bool givesNew) {
    found.kind = kind;
    found.isCompilers = isCompilers;
    found.givesNew = givesNew;
    found.value = call.getVal1();
  };
  switch (call.getOp()) {
    case Op::AO__c11_atomic_load:
    case Op::AO__atomic_load_n:
      found.kind = AtomicOperation::Kind::Load;
      found.isCompilers = call.getOp() == Op::AO__atomic_load_n;
      break;
    case Op::AO__c11_atomic_store:
    case Op::AO__atomic_store_n:
      changes(AtomicOperation::Kind::Store, call.getOp() == Op::AO__atomic_store_n, false);
      break;
    case Op::AO__c11_atomic_fetch_add:
    case Op::AO__atomic_fetch_add:
    case Op::AO__atomic_add_fetch:
      changes(AtomicOperation::Kind::Add, call.getOp() != Op::AO__c11_atomic_fetch_add,
              call.getOp() == Op::AO__atomic_add_fetch);
      break;
    case Op::AO__c11_atomic_fetch_sub:
    case Op::AO__atomic_fetch_sub:
    case Op::AO__atomic_sub_fetch:
      changes(AtomicOperation::Kind::Subtract, call.getOp() != Op::AO__c11_atomic_fetch_sub,
              call.getOp() == Op::AO__atomic_sub_fetch);
      break;
    default:
      break;
  }
  return found;
}

bool isLocal(const clang::Expr* target) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParenImpCasts());
  const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  return variable != nullptr && variable->hasLocalStorage();
}

bool isPure(const clang::Stmt* statement, std::set<const clang::FunctionDecl*>& known) {
  for (const clang::Stmt* s : FunctionShape::below(statement)) {
    if (llvm::isa<clang::GotoStmt, clang::IndirectGotoStmt, clang::LabelStmt, clang::AsmStmt,
                  clang::AtomicExpr, clang::StmtExpr>(s))
      return false;
    if (const auto* assigned = llvm::dyn_cast<clang::BinaryOperator>(s);
        assigned != nullptr && assigned->isAssignmentOp() && !isLocal(assigned->getLHS()))
      return false;
    if (const auto* changed = llvm::dyn_cast<clang::UnaryOperator>(s);
        changed != nullptr && changed->isIncrementDecrementOp() && !isLocal(changed->getSubExpr()))
      return false;
    const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
    if (call == nullptr) continue;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::FunctionDecl* body = nullptr;
    if (callee == nullptr || !callee->hasBody(body)) return false;
    if (known.insert(body).second && !isPure(body->getBody(), known)) return false;
  }
  return true;
}

}  // namespace

std::vector<AtomicOperation> atomicOperations(const clang::Stmt* root, const clang::ASTContext& context) {
  std::vector<AtomicOperation> found;
  for (const clang::Stmt* s : FunctionShape::below(root)) {
    if (const auto* call = llvm::dyn_cast<clang::AtomicExpr>(s)) {
      found.push_back(described(*call, context));
      continue;
    }
    const auto* read = llvm::dyn_cast<clang::ImplicitCastExpr>(s);
    if (read == nullptr || read->getCastKind() != clang::CK_LValueToRValue) continue;
    const clang::Expr* object = read->getSubExpr()->IgnoreParens();
    found.push_back({AtomicOperation::Kind::Load, object, printed(*object, context), nullptr, false, false,
                     nullptr, false});
  }
  return found;
}

std::vector<AtomicOperation> operationsOn(const std::string& object, const clang::Stmt* root,
                                          const clang::ASTContext& context) {
  std::vector<AtomicOperation> found = atomicOperations(root, context);
  std::erase_if(found, [&](const AtomicOperation& one) { return one.object != object; });
  return found;
}

std::string changesBetween(const std::vector<const clang::Stmt*>& inside, const clang::ASTContext& context) {
  using Kind = AtomicOperation::Kind;
  std::set<const clang::Expr*> known;
  std::set<const clang::ValueDecl*> loaded, stored;
  for (const clang::Stmt* s : inside)
    for (const AtomicOperation& one : atomicOperations(s, context)) {
      known.insert(one.expression);
      if (one.declaration == nullptr) continue;
      if (one.kind == Kind::Load) loaded.insert(one.declaration);
      if (one.kind == Kind::Store && loaded.count(one.declaration) != 0) stored.insert(one.declaration);
    }
  if (stored.empty()) return {};
  for (const clang::FunctionDecl* function : definedFunctions(context))
    for (const AtomicOperation& one : atomicOperations(function->getBody(), context)) {
      const bool isChange = one.kind != Kind::Load && one.kind != Kind::Store && !one.isInitialization;
      if (isChange && stored.count(one.declaration) != 0 && known.count(one.expression) == 0)
        return function->getName().str();
    }
  return {};
}

bool isRepeatable(const clang::Stmt* statement) {
  for (const clang::Stmt* s : FunctionShape::below(statement))
    if (llvm::isa<clang::BreakStmt, clang::ContinueStmt>(s)) return false;
  std::set<const clang::FunctionDecl*> known;
  return isPure(statement, known);
}

}  // namespace heddle
