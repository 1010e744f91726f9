#include "analysis/repair/locked_getter.h"

#include <algorithm>
#include <vector>

#include "analysis/repair/expression_text.h"
#include "analysis/repair/lock_declaration.h"

namespace heddle {
namespace {

using clang::Stmt;
using llvm::dyn_cast;

/// Prints an expression of a function with the arguments of one call in place of its parameters.
class WithArguments : public clang::PrinterHelper {
 public:
  WithArguments(const clang::CallExpr& call, const clang::FunctionDecl& callee,
                const clang::ASTContext& context)
      : call_(call), callee_(callee), context_(context) {}

  std::string print(const clang::Expr& expression) {
    std::string text;
    llvm::raw_string_ostream out(text);
    expression.IgnoreParenImpCasts()->printPretty(out, this, clang::PrintingPolicy(context_.getLangOpts()));
    return text;
  }

  bool handledStmt(Stmt* s, llvm::raw_ostream& out) override {
    if (const auto* member = dyn_cast<clang::MemberExpr>(s); member != nullptr && member->isArrow()) {
      // `&box` and `->count` are `box.count`.
      const clang::Expr* base = argumentOf(member->getBase());
      const auto* address =
          base == nullptr ? nullptr : dyn_cast<clang::UnaryOperator>(base->IgnoreParenImpCasts());
      if (address == nullptr || address->getOpcode() != clang::UO_AddrOf) return false;
      out << printed(*address->getSubExpr(), context_) << "." << member->getMemberDecl()->getName();
      return true;
    }
    const auto* expression = dyn_cast<clang::Expr>(s);
    const clang::Expr* argument = expression == nullptr ? nullptr : argumentOf(expression);
    if (argument == nullptr) return false;
    const std::string text = printed(*argument, context_);
    const bool isPlain = llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::IntegerLiteral>(
        argument->IgnoreParenImpCasts());
    out << (isPlain ? text : "(" + text + ")");
    return true;
  }

 private:
  const clang::Expr* argumentOf(const clang::Expr* expression) const {
    const clang::VarDecl* variable = variableIn(expression);
    const auto* parameter = dyn_cast_or_null<clang::ParmVarDecl>(variable);
    const unsigned index = parameter == nullptr ? call_.getNumArgs() : parameter->getFunctionScopeIndex();
    const bool isOurs = index < call_.getNumArgs() && index < callee_.getNumParams() &&
                        callee_.getParamDecl(index) == parameter;
    return isOurs ? call_.getArg(index) : nullptr;
  }

  const clang::CallExpr& call_;
  const clang::FunctionDecl& callee_;
  const clang::ASTContext& context_;
};

/// The one value that the statements between lock and unlock read into `variable`; null: they do more.
const clang::Expr* readInto(const Stmt* statement, const clang::VarDecl& variable) {
  if (const auto* declared = dyn_cast<clang::DeclStmt>(statement))
    return declared->isSingleDecl() && declared->getSingleDecl() == &variable ? variable.getInit() : nullptr;
  const auto* assigned = dyn_cast<clang::BinaryOperator>(statement);
  return assigned != nullptr && assigned->getOpcode() == clang::BO_Assign &&
                 variableIn(assigned->getLHS()) == &variable
             ? assigned->getRHS()
             : nullptr;
}

/// What the call returns, as an expression in its caller (`q->count`); empty: the function does something
/// else than to lock `mutex` (as the caller names it), read one value and unlock it, or an argument has side
/// effects.
std::string valueUnderLock(const clang::CallExpr& call, const std::string& mutex,
                           const LockFunctions& functions, const clang::ASTContext& context) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  const clang::FunctionDecl* definition = nullptr;
  if (callee == nullptr || !callee->hasBody(definition)) return {};
  for (const clang::Expr* argument : call.arguments())
    if (argument->HasSideEffects(context)) return {};
  const auto* body = dyn_cast<clang::CompoundStmt>(definition->getBody());
  std::vector<const Stmt*> parts(body->body_begin(), body->body_end());
  // `int n;` in front.
  if (const auto* declared = parts.empty() ? nullptr : dyn_cast<clang::DeclStmt>(parts.front())) {
    const auto* variable =
        declared->isSingleDecl() ? dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
    if (variable == nullptr || variable->hasInit()) return {};
    parts.erase(parts.begin());
  }
  constexpr size_t kParts = 4;  // lock, read, unlock, return
  if (parts.size() != kParts) return {};
  const clang::CallExpr *lock = callOf(parts[0]), *unlock = callOf(parts[2]);
  const auto* leave = dyn_cast<clang::ReturnStmt>(parts[3]);
  const clang::VarDecl* variable =
      leave == nullptr || leave->getRetValue() == nullptr ? nullptr : variableIn(leave->getRetValue());
  if (lock == nullptr || unlock == nullptr || variable == nullptr || calleeName(*lock) != functions.lock ||
      calleeName(*unlock) != functions.unlock)
    return {};
  const clang::Expr* value = readInto(parts[1], *variable);
  WithArguments printer(call, *definition, context);
  if (value == nullptr || value->HasSideEffects(context) || printer.print(*lock->getArg(0)) != mutex ||
      printer.print(*unlock->getArg(0)) != mutex)
    return {};
  const std::string text = printer.print(*value);
  const bool isPlain = llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::ArraySubscriptExpr>(
      value->IgnoreParenImpCasts());
  return isPlain ? text : "(" + text + ")";
}

}  // namespace

void dropUnused(PlanScene& scene, const std::set<const clang::CallExpr*>& calls) {
  std::set<const clang::FunctionDecl*> callees;
  std::set<const clang::Stmt*> named;
  for (const clang::CallExpr* call : calls) {
    callees.insert(call->getDirectCallee()->getCanonicalDecl());
    named.insert(call->getCallee()->IgnoreParenImpCasts());
  }
  for (const clang::FunctionDecl* function : definedFunctions(scene.context))
    for (const Stmt* s : FunctionShape::below(function->getBody())) {
      const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(s);
      const auto* callee = name == nullptr ? nullptr : llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
      if (callee != nullptr && !named.contains(name)) callees.erase(callee->getCanonicalDecl());
    }
  for (const clang::FunctionDecl* function : definedFunctions(scene.context)) {
    // One that is declared before stays, and the compiler's warning rejects the patch.
    if (!callees.contains(function->getCanonicalDecl()) || function->getPreviousDecl() != nullptr ||
        function->getStorageClass() != clang::SC_Static || function->getBeginLoc().isMacroID())
      continue;
    const auto body = spanOf(*function->getBody(), scene.context);
    const auto begin = scene.context.getSourceManager().getDecomposedLoc(function->getBeginLoc());
    if (!body || begin.first != body->file) continue;
    const llvm::StringRef text = textOf(body->file, scene.context);
    size_t end = body->end;
    while (end < text.size() && text[end] == '\n') ++end;
    scene.edits.replace(pathOf(body->file, scene.context), begin.second, end, "");
  }
}

std::set<const clang::CallExpr*> readInPlace(PlanScene& scene, const LockCalls& calls, const Region& region) {
  std::set<const clang::CallExpr*> replaced;
  std::set<size_t> written;  // a macro may name its argument twice
  for (const Stmt* part : calls.shape().statements(region))
    for (const Stmt* s : FunctionShape::below(part)) {
      const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
      if (call == nullptr) continue;
      const std::string value = valueUnderLock(*call, calls.mutex(), calls.functions(), scene.context);
      const auto where = value.empty() ? std::nullopt : exactSpan(*call, scene.context);
      if (!where) continue;
      if (written.insert(where->begin).second)
        scene.edits.replace(pathOf(where->file, scene.context), where->begin, where->end, value);
      replaced.insert(call);
    }
  return replaced;
}

}  // namespace heddle
