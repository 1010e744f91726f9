// LocalEvents: what a function's statements do to those of its local variables that begin without a value and
// are given by their addresses.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ParentMap.h"

namespace heddle {

struct LocalEvent {
  enum class Kind : uint8_t { Read, Set, Given };
  Kind kind = Kind::Read;
  const clang::VarDecl* variable = nullptr;
  std::string field;                      // of the structure; empty: all of it
  const clang::CallExpr* call = nullptr;  // Given
  unsigned argument = 0;
};

/// What becomes of a call's result.
struct CallResult {
  enum class Kind : uint8_t { Dropped, Kept, Used };
  Kind kind = Kind::Used;
  const clang::VarDecl* variable = nullptr;  // Kept
};

class LocalEvents {
 public:
  LocalEvents(const clang::ASTContext& context, clang::Stmt& body);

  /// In the order of the text; null: none.
  const std::vector<LocalEvent>* at(const clang::Stmt& statement) const;
  CallResult resultOf(const clang::CallExpr& call) const;

 private:
  void add(const clang::Stmt& part);
  void addUse(const clang::DeclRefExpr& use, const clang::VarDecl& variable);
  void addGiven(const clang::Expr& pointer, LocalEvent event);
  bool isStatement(const clang::Stmt& part) const;

  const clang::ASTContext& context_;
  clang::ParentMap parents_;
  std::map<const clang::Stmt*, std::vector<LocalEvent>> events_;
};

}  // namespace heddle
