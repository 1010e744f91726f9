// FunctionShape: the statements of one function body as a list of blocks, and ranges of statements in it.
//
// A *region* is a run of statements of one block, or one statement that is the whole body of an if, else,
// loop or label. A lock and an unlock can be put around a region. Labels and cases in front of its first
// statement stay outside, so that a jump to them also acquires the lock.
//
// Threading: as the syntax tree it looks at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/repair/syntax_tree.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"

namespace heddle {

struct Region {
  const clang::CompoundStmt* block = nullptr;  // null: the region is `only`, which is not in a block
  size_t first = 0, last = 0;                  // statements of `block`, both included
  const clang::Stmt* only = nullptr;
};

class FunctionShape {
 public:
  FunctionShape(const clang::FunctionDecl& function, const clang::ASTContext& context);

  const clang::FunctionDecl& function() const { return function_; }
  const clang::ASTContext& context() const { return context_; }
  const clang::CompoundStmt* body() const { return body_; }
  const clang::Stmt* parent(const clang::Stmt* statement) const { return parents_.lookup(statement); }

  /// The innermost statement (not expression) around the offset; null if it is not in the body.
  const clang::Stmt* statementAt(clang::FileID file, size_t offset) const;

  /// The smallest region around all of `statements` with no jumps into its middle; nullopt if there is
  /// none.
  std::optional<Region> around(const std::vector<const clang::Stmt*>& statements) const;
  /// The next larger region; nullopt for the whole body.
  std::optional<Region> widened(const Region& region) const;
  /// The smallest region around two regions of the same block or of nested blocks.
  std::optional<Region> joined(const Region& a, const Region& b) const;

  /// The region's statements, without the labels in front of the first one.
  std::vector<const clang::Stmt*> statements(const Region& region) const;
  bool contains(const Region& region, const clang::Stmt* inner) const;
  bool contains(const Region& outer, const Region& inner) const;

  /// Whether the body may change the variable: it assigns, increments or decrements it, or takes its
  /// address.
  bool changes(const clang::VarDecl& variable) const;

  /// All statements and expressions below `root`, and `root` itself, parents first.
  static std::vector<const clang::Stmt*> below(const clang::Stmt* root);

 private:
  bool isPlace(const clang::Stmt* statement) const;
  std::optional<Region> blockAround(const std::vector<const clang::Stmt*>& statements) const;
  std::optional<Region> withoutJumpsInto(Region region) const;
  size_t indexIn(const clang::CompoundStmt* block, const clang::Stmt* statement) const;

  const clang::FunctionDecl& function_;
  const clang::ASTContext& context_;
  const clang::CompoundStmt* body_;
  llvm::DenseMap<const clang::Stmt*, const clang::Stmt*> parents_;
  std::vector<const clang::Stmt*> all_;
};

/// The statement names only constants and local variables, and calls nothing.
bool usesOnlyLocals(const clang::Stmt* statement);

/// Some part of `code` assigns, increments or decrements the variable, or takes its address.
bool changesIn(const std::vector<const clang::Stmt*>& code, const clang::VarDecl& variable);

/// The variable that the expression names, without casts and parentheses; null: it names none.
const clang::VarDecl* variableIn(const clang::Expr* expression);

/// A statement without the labels and cases in front of it.
const clang::Stmt* withoutLabels(const clang::Stmt* statement);

}  // namespace heddle
