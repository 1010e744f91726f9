#include "analysis/repair/function_shape.h"

#include <algorithm>

#include "clang/AST/StmtVisitor.h"

namespace heddle {
namespace {

using clang::CompoundStmt;
using clang::Stmt;
using llvm::dyn_cast;
using llvm::isa;

bool isSameExpansion(const Stmt& outer, const Stmt& inner, const clang::SourceManager& sources) {
  return outer.getBeginLoc().isMacroID() && inner.getBeginLoc().isMacroID() &&
         sources.getExpansionLoc(outer.getBeginLoc()) == sources.getExpansionLoc(inner.getBeginLoc());
}

}  // namespace

const Stmt* withoutLabels(const Stmt* statement) {
  for (;;) {
    if (const auto* label = dyn_cast<clang::LabelStmt>(statement))
      statement = label->getSubStmt();
    else if (const auto* option = dyn_cast<clang::SwitchCase>(statement))
      statement = option->getSubStmt();
    else
      return statement;
  }
}

std::vector<const Stmt*> FunctionShape::below(const Stmt* root) {
  std::vector<const Stmt*> found = {root};
  for (size_t i = 0; i < found.size(); ++i)
    for (const Stmt* child : found[i]->children())
      if (child != nullptr) found.push_back(child);
  return found;
}

bool FunctionShape::changes(const clang::VarDecl& variable) const {
  return changesIn(all_, variable);
}

bool usesOnlyLocals(const Stmt* statement) {
  const std::vector<const Stmt*> all = FunctionShape::below(statement);
  return std::none_of(all.begin(), all.end(), [](const Stmt* s) {
    if (const auto* name = dyn_cast<clang::DeclRefExpr>(s)) {
      const auto* variable = dyn_cast<clang::VarDecl>(name->getDecl());
      return variable != nullptr && !variable->hasLocalStorage();
    }
    if (const auto* op = dyn_cast<clang::UnaryOperator>(s)) return op->getOpcode() == clang::UO_Deref;
    return isa<clang::CallExpr, clang::MemberExpr, clang::ArraySubscriptExpr>(s);
  });
}

bool changesIn(const std::vector<const Stmt*>& code, const clang::VarDecl& variable) {
  return std::any_of(code.begin(), code.end(), [&](const Stmt* s) {
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(s))
      return binary->isAssignmentOp() && variableIn(binary->getLHS()) == &variable;
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(s);
    return unary != nullptr && (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf) &&
           variableIn(unary->getSubExpr()) == &variable;
  });
}

const clang::VarDecl* variableIn(const clang::Expr* expression) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

FunctionShape::FunctionShape(const clang::FunctionDecl& function, const clang::ASTContext& context)
    : function_(function), context_(context), body_(dyn_cast_or_null<CompoundStmt>(function.getBody())) {
  if (body_ == nullptr) return;
  all_ = below(body_);
  for (const Stmt* statement : all_)
    for (const Stmt* child : statement->children())
      if (child != nullptr) parents_.try_emplace(child, statement);
}

/// Where a statement may stand: another one can be put before it.
bool FunctionShape::isPlace(const Stmt* s) const {
  const Stmt* above = parent(s);
  if (above == nullptr) return false;
  if (isa<CompoundStmt, clang::LabelStmt, clang::AttributedStmt>(above)) return true;
  if (const auto* option = dyn_cast<clang::SwitchCase>(above)) return option->getSubStmt() == s;
  if (const auto* branch = dyn_cast<clang::IfStmt>(above))
    return branch->getThen() == s || branch->getElse() == s;
  if (const auto* loop = dyn_cast<clang::WhileStmt>(above)) return loop->getBody() == s;
  if (const auto* loop = dyn_cast<clang::DoStmt>(above)) return loop->getBody() == s;
  if (const auto* loop = dyn_cast<clang::ForStmt>(above)) return loop->getBody() == s;
  if (const auto* choice = dyn_cast<clang::SwitchStmt>(above)) return choice->getBody() == s;
  return false;
}

const Stmt* FunctionShape::statementAt(clang::FileID file, size_t offset) const {
  const Stmt* found = nullptr;
  for (const Stmt* s : all_) {  // parents come first, so the last hit is the innermost
    if (!isPlace(s)) continue;
    // Inside a macro's text nothing can be put: the statement that uses it is the place.
    if (found != nullptr && isSameExpansion(*found, *s, context_.getSourceManager())) continue;
    const std::optional<FileSpan> span = spanOf(*s, context_);
    if (span && span->contains(file, offset)) found = s;
  }
  return found;
}

size_t FunctionShape::indexIn(const CompoundStmt* block, const Stmt* statement) const {
  size_t index = 0;
  for (const Stmt* child : block->body()) {
    if (child == statement) return index;
    ++index;
  }
  return index;
}

bool FunctionShape::contains(const Region& region, const Stmt* inner) const {
  for (const Stmt* s = inner; s != nullptr; s = parent(s)) {
    if (s == region.only) return true;
    if (region.block != nullptr && parent(s) == region.block) {
      const size_t index = indexIn(region.block, s);
      return region.first <= index && index <= region.last;
    }
  }
  return false;
}

bool FunctionShape::contains(const Region& outer, const Region& inner) const {
  const std::vector<const Stmt*> parts = statements(inner);
  return std::all_of(parts.begin(), parts.end(), [&](const Stmt* s) { return contains(outer, s); });
}

std::vector<const Stmt*> FunctionShape::statements(const Region& region) const {
  if (region.block == nullptr) return {withoutLabels(region.only)};
  std::vector<const Stmt*> found;
  for (size_t i = region.first; i <= region.last; ++i) found.push_back(region.block->body_begin()[i]);
  found.front() = withoutLabels(found.front());
  return found;
}

std::optional<Region> FunctionShape::blockAround(const std::vector<const Stmt*>& statements) const {
  if (statements.empty() || body_ == nullptr) return std::nullopt;
  const Stmt* const sole = statements.front();
  if (std::all_of(statements.begin(), statements.end(), [&](const Stmt* s) { return s == sole; })) {
    // A single statement, in a block or as a body of its own.
    const Stmt* top = sole;
    while (parent(top) != nullptr && isa<clang::LabelStmt, clang::SwitchCase>(parent(top))) top = parent(top);
    if (const auto* block = dyn_cast_or_null<CompoundStmt>(parent(top))) {
      const size_t index = indexIn(block, top);
      return Region{block, index, index, nullptr};
    }
    if (top == body_) return Region{body_, 0, body_->size() - 1, nullptr};
    return Region{nullptr, 0, 0, top};
  }
  // The innermost block that holds them all, none of them being the block itself.
  for (const Stmt* up = parent(sole); up != nullptr; up = parent(up)) {
    const auto* block = dyn_cast<CompoundStmt>(up);
    if (block == nullptr) continue;
    Region region{block, block->size(), 0, nullptr};
    bool all = true;
    for (const Stmt* s : statements) {
      while (s != nullptr && parent(s) != block) s = parent(s);
      if (s == nullptr) {
        all = false;
        break;
      }
      const size_t index = indexIn(block, s);
      region.first = std::min(region.first, index);
      region.last = std::max(region.last, index);
    }
    if (all) return region;
  }
  return std::nullopt;
}

std::optional<Region> FunctionShape::widened(const Region& region) const {
  const Stmt* inner = region.block != nullptr ? static_cast<const Stmt*>(region.block) : region.only;
  if (inner == body_) return std::nullopt;
  for (const Stmt* s = inner; parent(s) != nullptr; s = parent(s))
    if (const auto* block = dyn_cast<CompoundStmt>(parent(s))) {
      const size_t index = indexIn(block, s);
      return Region{block, index, index, nullptr};
    }
  return std::nullopt;
}

/// Widens until nothing outside jumps behind the region's first statement.
std::optional<Region> FunctionShape::withoutJumpsInto(Region region) const {
  for (;;) {
    std::vector<const Stmt*> landing;  // labels and cases inside
    for (const Stmt* part : statements(region))
      for (const Stmt* s : below(part))
        if (isa<clang::LabelStmt, clang::SwitchCase>(s)) landing.push_back(s);
    std::vector<const Stmt*> jumps;
    bool fromSwitch = false;
    for (const Stmt* s : landing) {
      if (isa<clang::SwitchCase>(s)) {
        const Stmt* up = parent(s);
        while (up != nullptr && !isa<clang::SwitchStmt>(up)) up = parent(up);
        fromSwitch = fromSwitch || up == nullptr || !contains(region, up);
        continue;
      }
      for (const Stmt* jump : all_) {
        const auto* to = dyn_cast<clang::GotoStmt>(jump);
        if (to != nullptr && to->getLabel() == llvm::cast<clang::LabelStmt>(s)->getDecl() &&
            !contains(region, jump))
          jumps.push_back(jump);
      }
    }
    if (fromSwitch) {
      const std::optional<Region> larger = widened(region);
      if (!larger) return std::nullopt;
      region = *larger;
      continue;
    }
    if (jumps.empty()) return region;
    for (const Stmt* part : statements(region)) jumps.push_back(part);
    const std::optional<Region> larger = blockAround(jumps);
    if (!larger) return std::nullopt;
    region = *larger;
  }
}

std::optional<Region> FunctionShape::around(const std::vector<const Stmt*>& statements) const {
  const std::optional<Region> region = blockAround(statements);
  return region ? withoutJumpsInto(*region) : std::nullopt;
}

std::optional<Region> FunctionShape::joined(const Region& a, const Region& b) const {
  std::vector<const Stmt*> all = statements(a);
  for (const Stmt* s : statements(b)) all.push_back(s);
  return around(all);
}

}  // namespace heddle
