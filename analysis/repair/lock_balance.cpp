#include "analysis/repair/lock_balance.h"

#include <map>
#include <memory>
#include <optional>
#include <set>

#include "analysis/repair/expression_text.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/lock_declaration.h"
#include "analysis/repair/realize_units.h"
#include "analysis/repair/sync_names.h"
#include "clang/AST/Expr.h"
#include "clang/Analysis/CFG.h"

namespace heddle {
namespace {

struct FunctionLocks {
  /// How many locks it holds more when it returns than when it is called; nullopt: that depends on the way.
  std::optional<int> balance;
  /// Calls through pointers, by their text, that are made with none of its locks held, and with some.
  std::set<std::string> freeCallbacks, heldCallbacks;
};

using Functions = std::map<std::string, FunctionLocks>;

/// How many locks are held behind the block, of which so many are before it.
int walk(const clang::CFGBlock& block, int held, const clang::ASTContext& context, FunctionLocks& found) {
  for (const clang::CFGElement& element : block) {
    const auto statement = element.getAs<clang::CFGStmt>();
    const auto* call = statement ? llvm::dyn_cast<clang::CallExpr>(statement->getStmt()) : nullptr;
    if (call == nullptr) continue;
    if (call->getDirectCallee() == nullptr) {
      const std::string text = textOf(*call->getCallee()->IgnoreParenImpCasts(), nullptr, "", context);
      (held > 0 ? found.heldCallbacks : found.freeCallbacks).insert(text);
      continue;
    }
    const std::string name = calleeName(*call);
    if (name.find("sem_") != std::string::npos) continue;
    held += isAcquisition(name) ? 1 : isRelease(name) ? -1 : 0;
  }
  return held;
}

FunctionLocks locksOf(const clang::FunctionDecl& function, clang::ASTContext& context) {
  FunctionLocks found;
  clang::CFG::BuildOptions options;
  options.setAlwaysAdd(clang::Stmt::CallExprClass);
  const std::unique_ptr<clang::CFG> graph =
      clang::CFG::buildCFG(&function, function.getBody(), &context, options);
  if (graph == nullptr) return found;
  std::map<const clang::CFGBlock*, int> held = {{&graph->getEntry(), 0}};
  std::vector<const clang::CFGBlock*> pending = {&graph->getEntry()};
  bool isBalanced = true;
  while (!pending.empty()) {
    const clang::CFGBlock* block = pending.back();
    pending.pop_back();
    if (block->hasNoReturnElement()) continue;  // an assertion that fails ends the process
    const int after = walk(*block, held[block], context, found);
    for (const clang::CFGBlock* next : block->succs()) {
      if (next == nullptr) continue;
      const auto [known, isNew] = held.try_emplace(next, after);
      isBalanced &= known->second == after;
      if (isNew) pending.push_back(next);
    }
  }
  const auto exit = held.find(&graph->getExit());
  if (isBalanced) found.balance = exit == held.end() ? 0 : exit->second;
  return found;
}

std::optional<Functions> functionsOf(const Snapshot& unit) {
  const auto found = std::make_shared<Functions>();
  const std::string problem = withSyntaxTree(unit, [found](clang::ASTContext& context) {
    for (const clang::FunctionDecl* function : definedFunctions(context))
      (*found)[function->getName().str()] = locksOf(*function, context);
  });
  if (!problem.empty()) return std::nullopt;
  return *found;
}

}  // namespace

LockChange lockChange(const Snapshot& before, const Snapshot& after) {
  LockChange change;
  const std::vector<Snapshot> old = unitsOf(before), fresh = unitsOf(after);
  for (size_t i = 0; i < old.size() && i < fresh.size(); ++i) {
    const std::optional<Functions> was = functionsOf(old[i]), is = functionsOf(fresh[i]);
    if (!was || !is) continue;
    for (const auto& [name, locks] : *was) {
      const auto now = is->find(name);
      if (now == is->end()) continue;
      for (const std::string& call : now->second.heldCallbacks)
        if (locks.freeCallbacks.contains(call)) change.heldCallback = call;
      // What gave back more than it took, or less, may have been wrong before.
      const std::optional<int> balance = now->second.balance;
      if (locks.balance && (!balance || (*locks.balance == 0 && balance != locks.balance)))
        change.unbalanced = "on some way through '" + name + "' a lock is kept, or given back once too often";
    }
  }
  return change;
}

}  // namespace heddle
