// LockPlace: which lock an expression means, as a text that two expressions share when they mean the same
// place for as long as the variables in them keep their values.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace heddle {

struct LockPlace {
  std::string text;  // "q->lock", "lock", "*mutex"
  std::string name;  // "struct.member" or a global variable's name; empty: none that other functions share
  std::set<const clang::ValueDecl*> variables;  // local ones that the text rests on
  int parameter = -1;                           // index of the one that the text begins with; -1: none
  std::string suffix;                           // of the text behind the parameter: "->lock"; empty: "*mutex"
};

/// What the pointer `expression` points to; nothing: the text does not tell.
std::optional<LockPlace> lockPlaceOf(const clang::Expr& expression);

/// The callee's place, whose `parameter` is set, as its caller sees it; nothing: the text does not tell.
std::optional<LockPlace> placeInCaller(const LockPlace& place, const clang::CallExpr& call);

/// What an assignment to `expression` changes is part of the text.
bool restsOn(const LockPlace& place, const clang::Expr& expression);

}  // namespace heddle
