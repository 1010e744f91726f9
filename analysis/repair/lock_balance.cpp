#include "analysis/repair/lock_balance.h"

#include <map>
#include <memory>
#include <optional>

#include "analysis/repair/lock_calls.h"
#include "analysis/repair/lock_declaration.h"
#include "analysis/repair/realize_units.h"
#include "analysis/repair/sync_names.h"
#include "clang/AST/Expr.h"
#include "clang/Analysis/CFG.h"

namespace heddle {
namespace {

/// By function: how many locks it holds more when it returns than when it is called; nullopt: that depends on
/// the way.
using Balances = std::map<std::string, std::optional<int>>;

int changeBy(const clang::CFGBlock& block) {
  int change = 0;
  for (const clang::CFGElement& element : block) {
    const auto statement = element.getAs<clang::CFGStmt>();
    const auto* call = statement ? llvm::dyn_cast<clang::CallExpr>(statement->getStmt()) : nullptr;
    if (call == nullptr) continue;
    const std::string name = calleeName(*call);
    if (name.find("sem_") != std::string::npos) continue;
    change += isAcquisition(name) ? 1 : isRelease(name) ? -1 : 0;
  }
  return change;
}

std::optional<int> balanceOf(const clang::FunctionDecl& function, clang::ASTContext& context) {
  clang::CFG::BuildOptions options;
  options.setAlwaysAdd(clang::Stmt::CallExprClass);
  const std::unique_ptr<clang::CFG> graph =
      clang::CFG::buildCFG(&function, function.getBody(), &context, options);
  if (graph == nullptr) return std::nullopt;
  std::map<const clang::CFGBlock*, int> held = {{&graph->getEntry(), 0}};
  std::vector<const clang::CFGBlock*> pending = {&graph->getEntry()};
  while (!pending.empty()) {
    const clang::CFGBlock* block = pending.back();
    pending.pop_back();
    if (block->hasNoReturnElement()) continue;  // an assertion that fails ends the process
    const int after = held[block] + changeBy(*block);
    for (const clang::CFGBlock* next : block->succs()) {
      if (next == nullptr) continue;
      const auto [known, isNew] = held.try_emplace(next, after);
      if (!isNew && known->second != after) return std::nullopt;
      if (isNew) pending.push_back(next);
    }
  }
  const auto exit = held.find(&graph->getExit());
  return exit == held.end() ? 0 : exit->second;
}

std::optional<Balances> balancesOf(const Snapshot& unit) {
  const auto found = std::make_shared<Balances>();
  const std::string problem = withSyntaxTree(unit, [found](clang::ASTContext& context) {
    for (const clang::FunctionDecl* function : definedFunctions(context))
      (*found)[function->getName().str()] = balanceOf(*function, context);
  });
  if (!problem.empty()) return std::nullopt;
  return *found;
}

}  // namespace

std::string unbalancedFunction(const Snapshot& before, const Snapshot& after) {
  const std::vector<Snapshot> old = unitsOf(before), fresh = unitsOf(after);
  for (size_t i = 0; i < old.size() && i < fresh.size(); ++i) {
    const std::optional<Balances> was = balancesOf(old[i]), is = balancesOf(fresh[i]);
    if (!was || !is) continue;
    for (const auto& [name, balance] : *was) {
      const auto now = is->find(name);
      if (!balance || now == is->end()) continue;
      // What gave back more than it took, or less, may have been wrong before.
      if (!now->second || (*balance == 0 && now->second != balance))
        return "on some way through '" + name + "' a lock is kept, or given back once too often";
    }
  }
  return {};
}

}  // namespace heddle
