#include "analysis/survey/guard_writer.h"

#include <algorithm>

#include "analysis/repair/syntax_tree.h"
#include "clang/AST/RawCommentList.h"
#include "clang/Lex/Lexer.h"

namespace heddle {
namespace {

std::string definitionOf(const char* macro, const char* attribute) {
  return "#define " + std::string(macro) + "(lock)" + attribute + "\n";
}

/// A declaration of the parameter's own function that names it.
std::string requirement(const clang::ParmVarDecl& parameter, const clang::ValueDecl& lock) {
  return " REQUIRES(" + parameter.getName().str() + "->" + lock.getName().str() + ")";
}

}  // namespace

GuardWriter::GuardWriter(clang::ASTContext& context)
    : context_(context), sources_(context.getSourceManager()) {}

bool GuardWriter::isUsers(const clang::NamedDecl& declared) const {
  const clang::SourceLocation at = declared.getLocation();
  return at.isFileID() && declared.getBeginLoc().isFileID() && declared.getEndLoc().isFileID() &&
         !sources_.isInSystemHeader(at) && !pathOf(sources_.getFileID(at), context_).empty();
}

size_t GuardWriter::beginOf(const clang::Decl& declared) const {
  clang::SourceLocation at = sources_.getExpansionLoc(declared.getBeginLoc());
  if (const clang::RawComment* comment = context_.getRawCommentForDeclNoCache(&declared))
    if (sources_.isBeforeInTranslationUnit(comment->getBeginLoc(), at) &&
        sources_.getFileID(comment->getBeginLoc()) == sources_.getFileID(at))
      at = comment->getBeginLoc();
  return sources_.getFileOffset(at);
}

GuardWriter::Annotated& GuardWriter::noteUse(const clang::Decl& outermost) {
  const clang::FileID file = sources_.getFileID(sources_.getExpansionLoc(outermost.getBeginLoc()));
  Annotated& noted = files_[pathOf(file, context_)];
  noted.file = file;
  size_t begin = beginOf(outermost);
  const llvm::StringRef text = textOf(file, context_);
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  noted.first = std::min(noted.first, begin);
  return noted;
}

bool GuardWriter::guard(const clang::ValueDecl& data, const clang::ValueDecl& lock) {
  const auto* declarator = llvm::dyn_cast<clang::DeclaratorDecl>(&data);
  if (declarator == nullptr) return false;
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(&data);
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(&data);
  // What the attribute names must be declared before it, but for members of the same record.
  if (!llvm::isa<clang::FieldDecl>(lock) &&
      !sources_.isBeforeInTranslationUnit(lock.getLocation(), data.getLocation()))
    return false;
  if (variable != nullptr && variable->getPreviousDecl() != variable->getMostRecentDecl()->getPreviousDecl())
    return false;  // declared several times: which one has it, a reader would have to look for
  const clang::SourceLocation last =
      field ? field->getEndLoc() : declarator->clang::DeclaratorDecl::getSourceRange().getEnd();
  const clang::SourceLocation end =
      clang::Lexer::getLocForEndOfToken(last, 0, sources_, context_.getLangOpts());
  if (!end.isFileID()) return false;
  const clang::Decl* outermost = &data;
  while (const auto* parent = llvm::dyn_cast<clang::RecordDecl>(outermost->getDeclContext()))
    outermost = parent;
  if (const auto* record = llvm::dyn_cast<clang::RecordDecl>(outermost))
    if (const clang::TypedefNameDecl* name = record->getTypedefNameForAnonDecl()) outermost = name;
  const auto [file, offset] = sources_.getDecomposedLoc(end);
  noteUse(*outermost).guards = true;
  edits_.insert(pathOf(file, context_), offset, " GUARDED_BY(" + lock.getName().str() + ")");
  return true;
}

bool GuardWriter::needs(const clang::FunctionDecl& function, const clang::ParmVarDecl& parameter,
                        const clang::ValueDecl& lock) {
  const clang::FunctionDecl* definition = function.getDefinition();
  if (definition == nullptr || parameter.getIdentifier() == nullptr ||
      function.hasAttr<clang::RequiresCapabilityAttr>())
    return false;
  const clang::FunctionDecl* earlier = definition->getPreviousDecl();
  if (earlier != nullptr) {
    const unsigned index = parameter.getFunctionScopeIndex();
    const clang::ParmVarDecl* named = earlier->getParamDecl(index);
    if (earlier->getPreviousDecl() != nullptr || !isUsers(*earlier) ||
        named->getName() != parameter.getName())
      return false;
    const clang::SourceLocation end =
        clang::Lexer::getLocForEndOfToken(earlier->getEndLoc(), 0, sources_, context_.getLangOpts());
    if (!end.isFileID()) return false;
    const auto [file, offset] = sources_.getDecomposedLoc(end);
    noteUse(*earlier).needs = true;
    edits_.insert(pathOf(file, context_), offset, requirement(parameter, lock));
    return true;
  }
  const auto [file, begin] = sources_.getDecomposedLoc(definition->getBeginLoc());
  const auto [bodyFile, body] = sources_.getDecomposedLoc(definition->getBody()->getBeginLoc());
  if (file != bodyFile || !definition->getBody()->getBeginLoc().isFileID()) return false;
  const llvm::StringRef head = textOf(file, context_).slice(begin, body).rtrim();
  if (head.contains('#') || head.contains("//")) return false;
  noteUse(*definition).needs = true;
  edits_.insert(pathOf(file, context_), beginOf(*definition),
                head.str() + requirement(parameter, lock) + ";\n");
  return true;
}

std::map<std::string, std::string> GuardWriter::texts() const {
  TextEdits all = edits_;
  for (const auto& [path, noted] : files_) {
    const llvm::StringRef text = textOf(noted.file, context_);
    const bool guards = noted.guards && !text.contains("define GUARDED_BY(");
    const bool needs = noted.needs && !text.contains("define REQUIRES(");
    if (!guards && !needs) continue;
    std::string on, off;
    if (guards) {
      on += definitionOf("GUARDED_BY", " __attribute__((guarded_by(lock)))");
      off += definitionOf("GUARDED_BY", "");
    }
    if (needs) {
      on += definitionOf("REQUIRES", " __attribute__((requires_capability(lock)))");
      off += definitionOf("REQUIRES", "");
    }
    all.insert(path, noted.first,
               "// Clang's thread-safety attributes, for compilers and locks that have them.\n"
               "#if defined(__clang__) && (defined(THREAD_SAFETY) || defined(__HEDDLE__))\n" +
                   on + "#else\n" + off + "#endif\n\n");
  }
  bool conflict = false;
  std::map<std::string, std::string> texts;
  for (const auto& [path, edits] : all.sorted(conflict)) {
    const auto noted = files_.find(path);
    if (noted == files_.end()) continue;
    const llvm::StringRef text = textOf(noted->second.file, context_);
    texts[path] = applied(std::string_view(text.data(), text.size()), edits);
  }
  return conflict ? std::map<std::string, std::string>() : texts;
}

}  // namespace heddle
