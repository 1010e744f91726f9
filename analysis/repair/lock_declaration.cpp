#include "analysis/repair/lock_declaration.h"

#include <algorithm>

#include "analysis/repair/layout.h"
#include "analysis/repair/syntax_tree.h"
#include "clang/AST/RawCommentList.h"
#include "clang/Lex/Lexer.h"
#include "clang/Tooling/Inclusions/HeaderIncludes.h"

namespace heddle {
namespace {

std::string_view viewOf(clang::FileID file, const clang::ASTContext& context) {
  const llvm::StringRef text = textOf(file, context);
  return {text.data(), text.size()};
}

/// Behind the semicolon of a variable's declaration.
std::optional<std::pair<clang::FileID, size_t>> endOf(const clang::VarDecl& variable,
                                                      const clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  clang::SourceLocation at = sources.getExpansionLoc(variable.getEndLoc());
  for (int tokens = 0; tokens < 10'000; ++tokens) {
    const auto next = clang::Lexer::findNextToken(at, sources, context.getLangOpts());
    if (!next || next->is(clang::tok::eof)) return std::nullopt;
    at = next->getLocation();
    if (!next->is(clang::tok::semi)) continue;
    const auto [file, offset] = sources.getDecomposedLoc(at);
    return std::make_pair(file, static_cast<size_t>(offset) + 1);
  }
  return std::nullopt;
}

std::string declarationOf(const NewGlobal& global, const std::string& storage, bool defines) {
  return storage + global.type + " " + global.name +
         (defines && !global.initializer.empty() ? " = " + global.initializer : "") + ";";
}

/// <pthread.h> must have been seen before the new declarations.
/// `itself`: by the file's own include, whatever was seen before it in this view of the program.
void includeThreads(clang::FileID file, clang::SourceLocation at, bool itself, clang::ASTContext& context,
                    TextEdits& edits) {
  const clang::SourceManager& sources = context.getSourceManager();
  const clang::IdentifierInfo& name = context.Idents.get("pthread_mutex_lock");
  for (const clang::NamedDecl* found : context.getTranslationUnitDecl()->lookup(&name))
    for (const clang::Decl* declared : found->redecls())
      if (!itself && !declared->isImplicit() && declared->getLocation().isValid() &&
          sources.isBeforeInTranslationUnit(declared->getLocation(), at))
        return;
  const std::string path = pathOf(file, context);
  const std::string_view text = viewOf(file, context);
  const clang::tooling::HeaderIncludes includes(path, llvm::StringRef(text.data(), text.size()), {});
  if (const auto inserted = includes.insert("pthread.h", true, clang::tooling::IncludeDirective::Include))
    edits.insert(path, inserted->getOffset(), inserted->getReplacementText().str());
}

bool isUsers(clang::SourceLocation at, const clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  return at.isValid() && !sources.isInSystemHeader(at) &&
         !pathOf(sources.getFileID(sources.getExpansionLoc(at)), context).empty();
}

}  // namespace

const clang::VarDecl* globalNamed(const std::string& name, clang::ASTContext& context) {
  const auto known = context.Idents.find(name);
  if (known == context.Idents.end()) return nullptr;
  for (const clang::NamedDecl* found : context.getTranslationUnitDecl()->lookup(known->second))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(found)) return variable;
  return nullptr;
}

std::vector<const clang::FunctionDecl*> definedFunctions(const clang::ASTContext& context) {
  std::vector<const clang::FunctionDecl*> found;
  for (const clang::Decl* declared : context.getTranslationUnitDecl()->decls()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declared);
    if (function != nullptr && function->isThisDeclarationADefinition() && function->hasBody())
      found.push_back(function);
  }
  return found;
}

std::string declareGlobals(const std::vector<NewGlobal>& globals, const clang::VarDecl* beside,
                           const std::vector<const clang::FunctionDecl*>& users, Linkage linkage,
                           clang::ASTContext& context, TextEdits& edits) {
  const clang::SourceManager& sources = context.getSourceManager();
  const auto firstUser = *std::min_element(users.begin(), users.end(), [&](const auto* a, const auto* b) {
    return sources.isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
  });
  const auto lines = [&](const std::string& storage, bool defines) {
    std::string text;
    for (const NewGlobal& global : globals)
      text += (text.empty() ? "" : "\n") + declarationOf(global, storage, defines);
    return text;
  };
  const auto insertAfter = [&](const clang::VarDecl& variable, const std::string& text) {
    const auto end = endOf(variable, context);
    if (!end) return false;
    const std::string_view all = viewOf(end->first, context);
    const size_t stop = endOfLine(all, end->second);
    edits.insert(pathOf(end->first, context), stop == std::string_view::npos ? end->second : stop,
                 "\n" + text);
    includeThreads(end->first, variable.getLocation(),
                   linkage != Linkage::Internal && end->first != sources.getMainFileID(), context, edits);
    return true;
  };

  if (beside != nullptr) {
    const clang::VarDecl* first = nullptr;
    const clang::VarDecl* definition = nullptr;
    for (const clang::VarDecl* declared : beside->redecls()) {
      if (!isUsers(declared->getLocation(), context)) continue;
      if (first == nullptr ||
          sources.isBeforeInTranslationUnit(declared->getLocation(), first->getLocation()))
        first = declared;
      if (declared->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly &&
          (definition == nullptr || declared->isThisDeclarationADefinition() == clang::VarDecl::Definition))
        definition = declared;
    }
    const bool seen =
        first != nullptr && sources.isBeforeInTranslationUnit(first->getLocation(), firstUser->getLocation());
    if (seen && linkage != Linkage::Internal) {
      const bool inHeader =
          definition != first &&
          sources.getFileID(sources.getExpansionLoc(first->getLocation())) != sources.getMainFileID();
      // A declaration that all files include says it to all of them, in each file's view by the same edit.
      const bool said = inHeader && insertAfter(*first, lines("extern ", false));
      if (linkage == Linkage::Declared && (said || insertAfter(*first, lines("extern ", false)))) return "";
      if (linkage == Linkage::Defined && definition != nullptr && insertAfter(*definition, lines("", true)))
        return "";
    } else if (seen && definition == first) {
      if (insertAfter(*first, lines("static ", true))) return "";
    } else if (seen && definition != nullptr && first->hasExternalStorage()) {
      if (insertAfter(*first, lines("extern ", false)) && insertAfter(*definition, lines("", true)))
        return "";
    }
  }
  // Before the first user, and before the comment that belongs to it.
  clang::SourceLocation at = sources.getExpansionLoc(firstUser->getBeginLoc());
  if (const clang::RawComment* comment = context.getRawCommentForDeclNoCache(firstUser))
    if (sources.isBeforeInTranslationUnit(comment->getBeginLoc(), at)) at = comment->getBeginLoc();
  if (!isUsers(at, context)) return "the access stands in a system header";
  const auto [file, offset] = sources.getDecomposedLoc(at);
  const char* storage = linkage == Linkage::Internal   ? "static "
                        : linkage == Linkage::Declared ? "extern "
                                                       : "";
  edits.insert(pathOf(file, context), offset, lines(storage, linkage != Linkage::Declared) + "\n\n");
  includeThreads(file, at, false, context, edits);
  return "";
}

}  // namespace heddle
