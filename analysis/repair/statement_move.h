// StatementMove: moves one statement of a block to another place of the same block.
//
// An exploration decides later whether the new order is right, and a compilation whether every name is
// declared before its use. Threading: as the syntax tree.
#pragma once

#include <vector>

#include "analysis/repair/plan_scene.h"

namespace heddle {

/// A simple statement (an expression or a declaration) of a block, with the statements around it there.
struct PlacedStatement {
  const FunctionShape* shape = nullptr;
  const clang::Stmt* statement = nullptr;          // null: `scene.problem` says why
  std::vector<const clang::Stmt*> earlier, later;  // the nearest first
};

/// The statement of the access.
PlacedStatement placedStatement(PlanScene& scene, const SourceAccess& access);

/// Both statements must be in one block. If the move cannot be written, `scene.problem` says why.
void moveBehind(PlanScene& scene, const FunctionShape& shape, const clang::Stmt* moved,
                const clang::Stmt* anchor);
void moveBefore(PlanScene& scene, const FunctionShape& shape, const clang::Stmt* moved,
                const clang::Stmt* anchor);

}  // namespace heddle
