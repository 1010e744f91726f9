#include "analysis/repair/lock_calls.h"

#include <set>

namespace heddle {
namespace {

using clang::Stmt;
using llvm::dyn_cast;
using llvm::dyn_cast_or_null;

}  // namespace

std::string printed(const clang::Expr& expression, const clang::ASTContext& context) {
  std::string text;
  llvm::raw_string_ostream out(text);
  expression.IgnoreParenImpCasts()->printPretty(out, nullptr, clang::PrintingPolicy(context.getLangOpts()));
  return text;
}

const clang::CallExpr* callOf(const Stmt* statement) {
  if (statement == nullptr) return nullptr;
  const auto* expression = dyn_cast<clang::Expr>(withoutLabels(statement));
  return expression == nullptr ? nullptr : dyn_cast<clang::CallExpr>(expression->IgnoreParenCasts());
}

std::string calleeName(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  return callee == nullptr || callee->getIdentifier() == nullptr ? "" : callee->getName().str();
}

bool LockCalls::isCall(const Stmt* statement, const std::string& function) const {
  const clang::CallExpr* call = callOf(statement);
  return call != nullptr && call->getNumArgs() == 1 && calleeName(*call) == function &&
         printed(*call->getArg(0), shape_.context()) == mutex_;
}

const Stmt* LockCalls::holderAt(const Stmt* statement) const {
  for (const Stmt* s = statement; s != nullptr; s = shape_.parent(s)) {
    const auto* block = dyn_cast_or_null<clang::CompoundStmt>(shape_.parent(s));
    if (block == nullptr) continue;
    const Stmt* holder = nullptr;
    bool decided = false;
    for (const Stmt* before : block->body()) {
      if (before == s) break;
      if (isLock(before) || isUnlock(before)) {
        holder = isLock(before) ? before : nullptr;
        decided = true;
      }
    }
    if (decided) return holder;
  }
  return nullptr;
}

const Stmt* LockCalls::unlockAfter(const clang::CompoundStmt* block, size_t index) const {
  for (size_t i = index; i < block->size(); ++i)
    if (isUnlock(block->body_begin()[i])) return block->body_begin()[i];
  return nullptr;
}

LockCalls::Merge LockCalls::merged(Region region) const {
  const auto grow = [&](const Stmt* more) {
    std::vector<const Stmt*> all = shape_.statements(region);
    all.push_back(more);
    return shape_.around(all);
  };
  for (;;) {
    const std::vector<const Stmt*> parts = shape_.statements(region);
    bool endsHeld = false, hasLock = false, hasUnlock = false;
    for (const Stmt* part : parts) {
      for (const Stmt* s : FunctionShape::below(part)) hasLock = hasLock || isLock(s);
      if (isLock(part)) endsHeld = true;
      if (isUnlock(part)) endsHeld = false, hasUnlock = true;
    }
    const Stmt* more = nullptr;
    if (const Stmt* holder = holderAt(parts.front())) {
      if (!hasUnlock && !hasLock) return {region, true, ""};
      more = holder;
    } else if (endsHeld) {
      more = region.block == nullptr ? nullptr : unlockAfter(region.block, region.last + 1);
      if (more == nullptr)
        return {region, false, "a critical section of " + mutex_ + " begins there and ends in another block"};
    } else if (region.block != nullptr) {
      // Two critical sections with nothing between them are one; and what tests locally what it found in one
      // belongs to it.
      const clang::CompoundStmt* block = region.block;
      size_t next = region.last + 1, previous = region.first;
      while (next < block->size() && usesOnlyLocals(block->body_begin()[next])) ++next;
      while (previous > 0 && usesOnlyLocals(block->body_begin()[previous - 1])) --previous;
      if (next < block->size() && isLock(block->body_begin()[next]))
        more = unlockAfter(block, next + 1);
      else if (previous > 0 && isUnlock(block->body_begin()[previous - 1]))
        more = holderAt(block->body_begin()[previous - 1]);
    }
    if (more == nullptr) return {region, false, ""};
    const std::optional<Region> larger = grow(more);
    if (!larger) return {region, false, "no block holds all of the critical section of " + mutex_};
    region = *larger;
  }
}

std::string LockCalls::calleeThatLocks(const Region& region,
                                       const std::set<const clang::CallExpr*>& unmade) const {
  struct Pending {
    const Stmt* code;
    std::string through;  // the function that the region calls
  };
  std::vector<Pending> pending;
  for (const Stmt* part : shape_.statements(region)) pending.push_back({part, ""});
  std::set<const clang::FunctionDecl*> seen;
  while (!pending.empty()) {
    const Pending now = pending.back();
    pending.pop_back();
    for (const Stmt* s : FunctionShape::below(now.code)) {
      const auto* call = dyn_cast<clang::CallExpr>(s);
      if (call == nullptr || unmade.contains(call)) continue;
      if (!now.through.empty() && isLock(call)) return now.through;
      const clang::FunctionDecl* callee = call->getDirectCallee();
      const clang::FunctionDecl* definition = nullptr;
      if (callee == nullptr || !callee->hasBody(definition) || !seen.insert(definition).second) continue;
      pending.push_back({definition->getBody(), now.through.empty() ? calleeName(*call) : now.through});
    }
  }
  return {};
}

}  // namespace heddle
