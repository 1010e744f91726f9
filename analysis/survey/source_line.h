// lineOf: the line of a place in the text that the reader sees: of what a macro makes, where it is used.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/SourceManager.h"

namespace heddle {

/// 0: the place is in no text.
inline uint32_t lineOf(clang::SourceLocation place, const clang::SourceManager& sources) {
  return sources.getExpansionLineNumber(place);
}

inline uint32_t lineOf(clang::SourceLocation place, const clang::ASTContext& context) {
  return lineOf(place, context.getSourceManager());
}

/// Where the statement begins.
inline uint32_t lineOf(const clang::Stmt& statement, const clang::ASTContext& context) {
  return lineOf(statement.getBeginLoc(), context);
}

}  // namespace heddle
