// ExpressionText: the source text of expressions, also where they are arguments of a macro.
//
// Threading: as the syntax tree.
#pragma once

#include <optional>
#include <string>

#include "analysis/repair/syntax_tree.h"
#include "clang/AST/Expr.h"

namespace heddle {

/// Where the expression stands in its file, without a semicolon behind it; of a macro's expansion, all of the
/// macro's use, of its argument, the argument alone. nullopt: it begins and ends in different files.
std::optional<FileSpan> exactSpan(const clang::Expr& expression, const clang::ASTContext& context);

/// Its text with that of `part` (null, or below it) replaced; empty: it has none.
std::string textOf(const clang::Expr& expression, const clang::Expr* part, const std::string& replacement,
                   const clang::ASTContext& context);

}  // namespace heddle
