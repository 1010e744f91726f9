// IntegerConstant: the number that an expression always is, by its text.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <optional>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace heddle {

/// Nothing: it is no integer, no constant, has errors, or does not fit.
std::optional<int64_t> integerConstant(const clang::Expr& expression, const clang::ASTContext& context);

}  // namespace heddle
