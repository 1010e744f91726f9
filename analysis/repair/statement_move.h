// StatementMove: one statement of a block goes to another place of the same block.
//
// Whether what it stood before may come before it, exploring tells; that no name is used before it is
// declared, compiling does. Threading: as the syntax tree.
#pragma once

#include <vector>

#include "analysis/repair/plan_scene.h"

namespace heddle {

/// A simple statement (an expression or a declaration) of a block, with what stands around it there.
struct PlacedStatement {
  const FunctionShape* shape = nullptr;
  const clang::Stmt* statement = nullptr;          // null: `scene.problem` says why
  std::vector<const clang::Stmt*> earlier, later;  // the nearest first
};

/// The statement of the access.
PlacedStatement placedStatement(PlanScene& scene, const SourceAccess& access);

/// Both stand in one block. `scene.problem` says why it cannot be written.
void moveBehind(PlanScene& scene, const FunctionShape& shape, const clang::Stmt* moved,
                const clang::Stmt* anchor);
void moveBefore(PlanScene& scene, const FunctionShape& shape, const clang::Stmt* moved,
                const clang::Stmt* anchor);

}  // namespace heddle
