#include "analysis/repair/statement_writer.h"

#include <algorithm>

#include "analysis/repair/layout.h"
#include "analysis/repair/lock_calls.h"
#include "analysis/repair/sync_names.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"

namespace heddle {
namespace {

using clang::Stmt;

/// Nothing that other threads can change goes into it.
bool isFixed(const clang::Expr* value, const clang::ASTContext& context) {
  const clang::Expr* bare = value->IgnoreParenCasts();
  if (llvm::isa<clang::StringLiteral, clang::FloatingLiteral, clang::CharacterLiteral>(bare)) return true;
  if (bare->isValueDependent()) return false;
  clang::Expr::EvalResult result;
  if (value->EvaluateAsRValue(result, context) && !result.HasSideEffects) return true;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(bare);
  if (name == nullptr) return false;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  return variable != nullptr && variable->hasLocalStorage() && !variable->getType().isVolatileQualified() &&
         variable->getType()->isScalarType();
}

}  // namespace

std::string freshName(const std::string& wanted, const clang::ASTContext& context) {
  std::string name = wanted;
  for (int number = 2; context.Idents.find(name) != context.Idents.end(); ++number)
    name = wanted + "_" + std::to_string(number);
  return name;
}

std::string_view StatementWriter::text(const FileSpan& span) const {
  const llvm::StringRef text = textOf(span.file, shape_.context());
  return {text.data(), text.size()};
}

bool StatementWriter::isWritable(const FileSpan& span) {
  const clang::SourceManager& sources = shape_.context().getSourceManager();
  const clang::SourceLocation start = sources.getLocForStartOfFile(span.file);
  if (sources.isInSystemHeader(start)) {
    fail("the access stands in a system header (" + path(span) + ")");
    return false;
  }
  if (path(span).empty()) {
    fail("the access stands in text that is in no file");
    return false;
  }
  return true;
}

std::optional<FileSpan> StatementWriter::span(const Stmt* statement) {
  if (!problem_.empty()) return std::nullopt;
  const std::optional<FileSpan> found = spanOf(*statement, shape_.context());
  if (!found) {
    fail("a statement begins in one file and ends in another");
    return std::nullopt;
  }
  return isWritable(*found) ? found : std::nullopt;
}

bool StatementWriter::isInBlock(const Stmt* statement) const {
  return llvm::isa_and_nonnull<clang::CompoundStmt>(shape_.parent(statement));
}

void StatementWriter::before(const Stmt* statement, const std::string& line) {
  if (const auto where = span(statement))
    edits_.insert(path(*where), where->begin, lineBefore(text(*where), where->begin, line));
}

void StatementWriter::after(const Stmt* statement, const std::string& line) {
  const auto where = span(statement);
  if (!where) return;
  const Insertion insertion = linesAfter(text(*where), where->begin, where->end, line);
  edits_.insert(path(*where), insertion.at, insertion.text);
}

bool StatementWriter::isAllOfItsMacro(const Stmt* statement) const {
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(shape_.parent(statement));
  if (block == nullptr || block->getLBracLoc().isMacroID()) return false;
  const clang::SourceManager& sources = shape_.context().getSourceManager();
  const clang::SourceLocation use = sources.getExpansionLoc(statement->getBeginLoc());
  return std::none_of(block->body_begin(), block->body_end(), [&](const Stmt* other) {
    return other != statement && sources.getExpansionLoc(other->getBeginLoc()) == use;
  });
}

void StatementWriter::remove(const Stmt* statement) {
  const Stmt* bare = withoutLabels(statement);
  if (bare->getBeginLoc().isMacroID() && !isAllOfItsMacro(bare))
    return fail("a lock or unlock comes out of a macro");
  const auto where = span(bare);
  if (!where) return;
  if (!isInBlock(bare)) {
    // Something must remain behind a label or an if.
    const bool labelled = llvm::isa<clang::LabelStmt, clang::SwitchCase>(shape_.parent(bare));
    edits_.replace(path(*where), where->begin, where->end, labelled ? ";" : "{}");
    return;
  }
  const TextRange range = wholeLines(text(*where), where->begin, where->end);
  edits_.replace(path(*where), range.begin, range.end, "");
}

void StatementWriter::unwrap(const Stmt* outer, const Stmt* body) {
  const std::vector<const Stmt*> parts = FunctionShape::below(body);
  const bool mayBeEdited = std::any_of(parts.begin(), parts.end(), [&](const Stmt* s) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
    return (call != nullptr && (isAcquisition(calleeName(*call)) || isRelease(calleeName(*call)))) ||
           llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt>(s);
  });
  const auto whole = span(outer), inner = span(body);
  if (!whole || !inner || mayBeEdited || !isInBlock(outer) || outer->getBeginLoc().isMacroID()) return;
  const std::string_view all = text(*whole);
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body);
  std::string kept(all.substr(inner->begin, inner->end - inner->begin));
  if (block != nullptr) {
    const auto first = block->body_empty() ? std::nullopt : span(block->body_front());
    const auto last = block->body_empty() ? std::nullopt : span(block->body_back());
    if (!first || !last) return;
    kept = std::string(all.substr(first->begin, last->end - first->begin));
  }
  // One step less, in each line but the first, which takes the place of the outer statement.
  const std::string from = "\n" + indentAt(all, whole->begin) + indentUnit(all),
                    to = "\n" + indentAt(all, whole->begin);
  for (size_t at = kept.find(from); block != nullptr && at != std::string::npos;
       at = kept.find(from, at + to.size()))
    kept.replace(at, from.size(), to);
  edits_.replace(path(*whole), whole->begin, whole->end, kept);
}

void StatementWriter::braced(const Stmt* statement, const std::string& lineBefore_,
                             const std::string& lineAfter) {
  const auto where = span(statement);
  if (!where) return;
  if (statement->getBeginLoc().isMacroID() && shape_.parent(statement)->getBeginLoc().isMacroID())
    return fail("a statement inside a macro would need braces");
  const std::string_view all = text(*where);
  const std::string unit = indentUnit(all);
  const bool ownLine = startsLine(all, where->begin);
  // The line of the `if` or loop in front tells how far the body is indented.
  const size_t head = endOfTokenBefore(all, where->begin);
  const std::string outer = ownLine && indentAt(all, where->begin).size() >= unit.size()
                                ? indentAt(all, where->begin).substr(unit.size())
                                : indentAt(all, where->begin);
  const std::string inner = outer + unit;
  const std::string open = std::string(head < where->begin ? " {\n" : "{\n") + inner +
                           (lineBefore_.empty() ? "" : aligned(lineBefore_, inner) + "\n" + inner);
  edits_.replace(path(*where), head, where->begin, open);
  const size_t stop = endOfLine(all, where->end);
  const std::string close =
      (lineAfter.empty() ? "" : "\n" + inner + aligned(lineAfter, inner)) + "\n" + outer + "}";
  if (stop != std::string_view::npos)
    edits_.insert(path(*where), stop, close);
  else
    edits_.insert(path(*where), where->end, close + (all.substr(where->end).starts_with(" ") ? "" : " "));
}

void StatementWriter::first(const Stmt* body, const std::string& line) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body);
  if (block == nullptr) return braced(body, line, "");
  if (!block->body_empty() && !llvm::isa<clang::LabelStmt, clang::SwitchCase>(block->body_front()))
    return before(block->body_front(), line);
  const auto where = span(block);
  if (!where) return;
  if (block->getLBracLoc().isMacroID()) return fail("a block comes out of a macro");
  const std::string_view all = text(*where);
  edits_.insert(path(*where), where->begin + 1,
                "\n" + indentAt(all, where->begin) + indentUnit(all) + line +
                    (block->body_empty() ? "\n" + indentAt(all, where->begin) : ""));
}

void StatementWriter::last(const Stmt* body, const std::string& line) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(body);
  if (block == nullptr) return braced(body, "", line);
  if (!block->body_empty()) return after(block->body_back(), line);
  first(body, line);
}

std::string StatementWriter::unit() const {
  const std::optional<FileSpan> body = spanOf(*shape_.body(), shape_.context());
  return body ? indentUnit(text(*body)) : "    ";
}

void StatementWriter::returnAfter(const clang::ReturnStmt& leave, const std::string& line,
                                  const std::string& prefix) {
  const clang::ASTContext& context = shape_.context();
  const auto where = span(&leave);
  if (!where) return;
  const clang::SourceManager& sources = context.getSourceManager();
  const auto [valueFile, valueBegin] =
      sources.getDecomposedLoc(sources.getExpansionLoc(leave.getRetValue()->getBeginLoc()));
  if (valueFile != where->file) return fail("a returned value stands in another file");
  std::string declaration = freshName("result", context);
  const std::string name = declaration;
  clang::QualType type = shape_.function().getReturnType().getUnqualifiedType();
  type.getAsStringInternal(declaration, clang::PrintingPolicy(context.getLangOpts()));
  const std::string_view all = text(*where);
  const std::string file = path(*where);
  if (isInBlock(&leave)) {
    const std::string indent = startsLine(all, where->begin) ? "\n" + indentAt(all, where->begin) : " ";
    edits_.replace(file, where->begin, valueBegin,
                   (prefix.empty() ? "" : prefix + indent) + declaration + " = ");
    edits_.insert(file, where->end, indent + line + indent + "return " + name + ";");
    return;
  }
  const std::string unit = indentUnit(all);
  const bool ownLine = startsLine(all, where->begin);
  const std::string at = indentAt(all, where->begin);
  const std::string outer = ownLine && at.size() >= unit.size() ? at.substr(unit.size()) : at;
  const std::string inner = "\n" + outer + unit;
  const size_t head = endOfTokenBefore(all, where->begin);
  edits_.replace(file, head, valueBegin,
                 (head < where->begin ? " {" : "{") + (prefix.empty() ? "" : inner + prefix) + inner +
                     declaration + " = ");
  edits_.insert(file, where->end, inner + line + inner + "return " + name + ";\n" + outer + "}");
}

void StatementWriter::leaveAfter(const Stmt* leave, const std::string& line, const std::string& prefix) {
  if (leave->getBeginLoc().isMacroID()) return fail("a way out of the critical section comes out of a macro");
  const auto* returned = llvm::dyn_cast<clang::ReturnStmt>(leave);
  if (returned != nullptr && returned->getRetValue() != nullptr &&
      !isFixed(returned->getRetValue(), shape_.context()))
    return returnAfter(*returned, line, prefix);
  const std::string lines = prefix.empty() ? line : prefix + "\n" + line;
  if (isInBlock(leave))
    before(leave, lines);
  else
    braced(leave, lines, "");
}

}  // namespace heddle
