#include "analysis/repair/declaration_group.h"

#include <vector>

#include "analysis/repair/layout.h"
#include "analysis/repair/syntax_tree.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Lex/Lexer.h"

namespace heddle {
namespace {

/// From the first specifier to the semicolon, as offsets in one file.
struct Group {
  size_t begin = 0, type = 0, firstDeclarator = 0, semicolon = 0;
  std::vector<size_t> commas;
};

/// The innermost type: what stands in the specifiers, without *, [] and ().
clang::TypeLoc specifierOf(const clang::DeclaratorDecl& declared) {
  clang::TypeLoc type = declared.getTypeSourceInfo()->getTypeLoc();
  while (const clang::TypeLoc inner = type.getNextTypeLoc()) type = inner;
  return type;
}

/// Where the group's parts stand; false when some of it comes out of a macro.
bool measure(const clang::DeclaratorDecl& declared, const clang::ASTContext& context, clang::FileID& file,
             Group& group) {
  const clang::SourceManager& sources = context.getSourceManager();
  const clang::SourceLocation specifierEnd = specifierOf(declared).getEndLoc();
  if (declared.getBeginLoc().isMacroID() || specifierEnd.isMacroID()) return false;
  group.begin = sources.getDecomposedLoc(declared.getBeginLoc()).second;
  group.type = sources.getDecomposedLoc(declared.getTypeSpecStartLoc()).second;
  file = sources.getFileID(declared.getBeginLoc());
  clang::SourceLocation at = specifierEnd;
  int depth = 0;
  for (int tokens = 0; tokens < 10'000; ++tokens) {
    const auto next = clang::Lexer::findNextToken(at, sources, context.getLangOpts());
    if (!next || next->is(clang::tok::eof) || next->getLocation().isMacroID()) return false;
    at = next->getLocation();
    const auto [where, offset] = sources.getDecomposedLoc(at);
    if (where != file) return false;
    if (group.firstDeclarator == 0) group.firstDeclarator = offset;
    if (next->isOneOf(clang::tok::l_paren, clang::tok::l_square, clang::tok::l_brace)) ++depth;
    if (next->isOneOf(clang::tok::r_paren, clang::tok::r_square, clang::tok::r_brace)) --depth;
    if (depth == 0 && next->is(clang::tok::comma)) group.commas.push_back(offset);
    if (depth != 0 || next->isNot(clang::tok::semi)) continue;
    group.semicolon = offset;
    return true;
  }
  return false;
}

}  // namespace

bool sharesDeclaration(const clang::DeclaratorDecl& declared) {
  for (const clang::Decl* other : declared.getDeclContext()->decls()) {
    const auto* sibling = llvm::dyn_cast<clang::DeclaratorDecl>(other);
    if (sibling != nullptr && sibling != &declared &&
        sibling->getTypeSpecStartLoc() == declared.getTypeSpecStartLoc())
      return true;
  }
  return false;
}

std::string declareApart(const clang::DeclaratorDecl& declared, const std::string& qualifier,
                         const clang::ASTContext& context, TextEdits& edits) {
  const std::string name = declared.getName().str();
  Group group;
  clang::FileID file;
  if (declared.getTypeSourceInfo() == nullptr || !measure(declared, context, file, group))
    return "the declaration of '" + name + "' comes out of a macro";
  const llvm::StringRef whole = textOf(file, context);
  const std::string text(whole.data(), whole.size());
  const size_t own = context.getSourceManager().getDecomposedLoc(declared.getLocation()).second;
  size_t index = 0;
  while (index < group.commas.size() && group.commas[index] < own) ++index;
  const size_t begin = index == 0 ? group.firstDeclarator : group.commas[index - 1] + 1;
  const size_t end = index < group.commas.size() ? group.commas[index] : group.semicolon;
  const std::string specifiers = text.substr(group.begin, group.firstDeclarator - group.begin);
  if (specifiers.find('{') != std::string::npos) return "'" + name + "' is declared together with its type";
  const size_t declarator = text.find_first_not_of(" \t\n", begin);
  const std::string line = text.substr(group.begin, group.type - group.begin) + qualifier +
                           text.substr(group.type, group.firstDeclarator - group.type) +
                           text.substr(declarator, end - declarator) + ";";
  const std::string path = pathOf(file, context);
  if (index == 0) {
    const size_t next = text.find_first_not_of(" \t\n", end + 1);
    edits.replace(path, begin, next, "");
  } else {
    edits.replace(path, begin - 1, end, "");
  }
  const size_t stop = endOfLine(text, group.semicolon + 1);
  edits.insert(path, stop == std::string::npos ? group.semicolon + 1 : stop,
               "\n" + indentAt(text, group.begin) + line);
  return "";
}

}  // namespace heddle
