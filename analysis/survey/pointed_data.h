// PointedData: what a function does to the numbers and pointers that a member or a variable leads to, as a
// pointer or an array: `*q->total`, `q->items[i]`, and what calls are given that address of.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace heddle {

class PointedData {
 public:
  /// Adds to `out.pointed`. Both must outlive it.
  PointedData(clang::ASTContext& context, SurveyFunction& out) : context_(context), out_(out) {}

  /// `pointer`: a pointer or an array. `held`: locks, named like data.
  void add(const clang::Expr& pointer, bool isWrite, const std::set<std::string>& held, uint32_t line);
  /// What the call is given the address of, it writes, unless the types say that it only reads.
  void addPassed(const clang::CallExpr& call, const std::set<std::string>& held, uint32_t line);

 private:
  clang::ASTContext& context_;
  SurveyFunction& out_;
};

}  // namespace heddle
