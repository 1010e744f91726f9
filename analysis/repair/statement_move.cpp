#include "analysis/repair/statement_move.h"

#include <algorithm>

#include "analysis/repair/statement_writer.h"
#include "clang/AST/Expr.h"

namespace heddle {

using clang::Stmt;

PlacedStatement placedStatement(PlanScene& scene, const SourceAccess& access) {
  PlacedStatement placed;
  const Stmt* statement = scene.statementAt(access, placed.shape);
  if (statement == nullptr) return placed;
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(placed.shape->parent(statement));
  if (block == nullptr || !llvm::isa<clang::Expr, clang::DeclStmt>(statement)) {
    scene.fail("the access stands in a branch or a loop");
    return placed;
  }
  placed.statement = statement;
  bool isBehind = false;
  for (const Stmt* s : block->body()) {
    if (s == statement)
      isBehind = true;
    else
      (isBehind ? placed.later : placed.earlier).push_back(s);
  }
  std::reverse(placed.earlier.begin(), placed.earlier.end());
  return placed;
}

namespace {

std::string textFor(StatementWriter& writer, const Stmt* statement) {
  const auto from = writer.span(statement);
  return from ? std::string(writer.text(*from).substr(from->begin, from->end - from->begin)) : "";
}

}  // namespace

void moveBehind(PlanScene& scene, const FunctionShape& shape, const Stmt* moved, const Stmt* anchor) {
  StatementWriter writer(shape, scene.edits);
  writer.after(anchor, textFor(writer, moved));
  writer.remove(moved);
  scene.fail(writer.problem());
}

void moveBefore(PlanScene& scene, const FunctionShape& shape, const Stmt* moved, const Stmt* anchor) {
  StatementWriter writer(shape, scene.edits);
  writer.before(anchor, textFor(writer, moved));
  writer.remove(moved);
  scene.fail(writer.problem());
}

}  // namespace heddle
