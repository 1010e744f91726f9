#include "analysis/repair/expression_text.h"

#include "clang/Lex/Lexer.h"

namespace heddle {
namespace {

clang::SourceLocation beginInFile(clang::SourceLocation at, const clang::SourceManager& sources) {
  while (at.isMacroID())
    at = sources.isMacroArgExpansion(at) ? sources.getImmediateSpellingLoc(at)
                                         : sources.getImmediateExpansionRange(at).getBegin();
  return at;
}

clang::SourceLocation endInFile(clang::SourceLocation at, const clang::SourceManager& sources) {
  while (at.isMacroID())
    at = sources.isMacroArgExpansion(at) ? sources.getImmediateSpellingLoc(at)
                                         : sources.getImmediateExpansionRange(at).getEnd();
  return at;
}

}  // namespace

std::optional<FileSpan> exactSpan(const clang::Expr& expression, const clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  const clang::SourceLocation begin = beginInFile(expression.getBeginLoc(), sources);
  const clang::SourceLocation last = endInFile(expression.getEndLoc(), sources);
  if (begin.isInvalid() || last.isInvalid()) return std::nullopt;
  const clang::SourceLocation end =
      clang::Lexer::getLocForEndOfToken(last, 0, sources, context.getLangOpts());
  const auto [file, from] = sources.getDecomposedLoc(begin);
  const auto [endFile, to] = sources.getDecomposedLoc(end);
  if (file != endFile || to < from) return std::nullopt;
  return FileSpan{file, from, to};
}

std::string textOf(const clang::Expr& expression, const clang::Expr* part, const std::string& replacement,
                   const clang::ASTContext& context) {
  const std::optional<FileSpan> whole = exactSpan(expression, context);
  if (!whole) return {};
  std::string text = textOf(whole->file, context).substr(whole->begin, whole->end - whole->begin).str();
  if (part == nullptr) return text;
  const std::optional<FileSpan> hole = exactSpan(*part, context);
  if (!hole || hole->file != whole->file || hole->begin < whole->begin || hole->end > whole->end) return {};
  return text.replace(hole->begin - whole->begin, hole->end - hole->begin, replacement);
}

}  // namespace heddle
