// WayNames: what the statements of one function read and change, by the names of variables and members.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <set>

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace heddle {

/// Variables, members and functions.
using NameSet = std::set<const clang::ValueDecl*>;

/// What an expression reads, `withCalls`: also what it gives to functions, and these themselves.
void addRead(const clang::Stmt& part, bool withCalls, NameSet& names);

/// What the statement itself may change: assigned or given away by its address.
void addChangedBy(const clang::Stmt& statement, NameSet& names);
/// The same with its parts.
void addChanged(const clang::Stmt& part, NameSet& names);

/// The names, and what has been assigned to them anywhere.
class WayNames {
 public:
  explicit WayNames(const clang::Stmt& body) { add(body); }
  void addSources(NameSet& names) const;
  /// Variables whose addresses are taken.
  const std::set<const clang::VarDecl*>& escaped() const { return escaped_; }
  /// The loop, `for` or `while`, whose condition the expression is a part of; null: none.
  const clang::Stmt* loopOf(const clang::Expr& condition) const;

 private:
  void add(const clang::Stmt& part);
  void addLoop(const clang::Stmt& part, const clang::Stmt& loop);

  std::map<const clang::ValueDecl*, NameSet> sources_;
  std::set<const clang::VarDecl*> escaped_;
  std::map<const clang::Stmt*, const clang::Stmt*> loops_;
};

}  // namespace heddle
