// FreePlace: which pointer an expression means, as a text that two expressions share when they mean the same
// one for as long as the variables in them keep their values.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Analysis/CFG.h"

namespace heddle {

struct FreePlace {
  std::string text;                                // "p", "*p", "q->items[i].name"; empty: too complicated
  std::string key;                                 // the same, told apart from variables of the same name
  const clang::VarDecl* root = nullptr;            // that the text begins with
  std::set<const clang::VarDecl*> variables;       // all that it rests on
  const clang::FieldDecl* member = nullptr;        // that it ends with
  std::set<const clang::FieldDecl*> members = {};  // all in it
  bool isBehind = false;                           // a pointer leads to it

  /// It is the variable itself.
  bool isVariable() const { return root && text.size() == root->getName().size(); }
  /// It lies in a local variable of the function.
  bool isLocal() const { return root && root->hasLocalStorage() && !isBehind; }
};

/// The key of the variable itself, which has a name.
std::string variableKey(const clang::VarDecl& variable);

/// The place that the expression names.
FreePlace freePlaceOf(const clang::Expr& expression);

/// The place that the statement itself reads or writes; null: none. An address that is computed is none.
const clang::Expr* touchedPlace(const clang::Stmt& statement);

/// The pointer that leads to the place that the expression names; null: none, or none that is written there.
const clang::Expr* leadingPointer(const clang::Expr& expression);

/// The text names this place, or something that it is a part of or that it is found by.
bool isWithin(const std::string& place, const std::string& text);

/// An assignment to `changed` may change what the place means.
bool mayChange(const FreePlace& place, const clang::Expr& changed);
/// The same with what freePlaceOf says of it.
bool mayChange(const FreePlace& place, const clang::Expr& changed, const FreePlace& other);

/// The key of the pointer that the block's end compares with null, and whether its first way is the one for
/// null.
std::optional<std::pair<std::string, bool>> nullTestOf(const clang::CFGBlock& block,
                                                       clang::ASTContext& context);

}  // namespace heddle
