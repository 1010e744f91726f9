// ExpressionText: the source text of expressions, also if they are arguments of a macro.
//
// Threading: as the syntax tree.
#pragma once

#include <optional>
#include <string>

#include "analysis/repair/syntax_tree.h"
#include "clang/AST/Expr.h"

namespace heddle {

/// Where the expression stands in its file, without a semicolon after it. For an expression from a macro's
/// expansion it is the whole use of the macro; for an argument of a macro it is the argument alone.
/// nullopt: the expression begins and ends in different files.
std::optional<FileSpan> exactSpan(const clang::Expr& expression, const clang::ASTContext& context);

/// The text of the expression, with the text of `part` (null, or a part of the expression) replaced; empty:
/// it has no text.
std::string textOf(const clang::Expr& expression, const clang::Expr* part, const std::string& replacement,
                   const clang::ASTContext& context);

}  // namespace heddle
