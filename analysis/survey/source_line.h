// lineOf: the line of a place in the text that the reader sees: of what a macro makes, where it is used.
// textOf: the text of a statement as it is written, with macros that nothing has replaced.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringRef.h"

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

/// It is part of the file's text, which must outlive it.
inline llvm::StringRef textOf(const clang::Stmt& statement, const clang::ASTContext& context) {
  return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(statement.getSourceRange()),
                                     context.getSourceManager(), context.getLangOpts());
}

}  // namespace heddle
