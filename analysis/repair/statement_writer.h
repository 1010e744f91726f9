// StatementWriter: puts statements before, after and in place of others, with braces where the grammar needs
// them and white space like its surroundings.
//
// Threading: as the syntax tree.
#pragma once

#include <string>

#include "analysis/repair/function_shape.h"
#include "analysis/repair/text_edits.h"

namespace heddle {

class StatementWriter {
 public:
  StatementWriter(const FunctionShape& shape, TextEdits& edits) : shape_(shape), edits_(edits) {}

  /// Why something could not be written, or empty. Once set, all that follows does nothing.
  const std::string& problem() const { return problem_; }
  void fail(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
  }

  void before(const clang::Stmt* statement, const std::string& line);
  void after(const clang::Stmt* statement, const std::string& line);
  /// Takes a statement away, with its line if nothing else stands there.
  void remove(const clang::Stmt* statement);
  /// `outer`, a statement of a block, gives way to `body`, a part of it that holds no ways out and nothing
  /// that is edited; where that is not known, it stays.
  void unwrap(const clang::Stmt* outer, const clang::Stmt* body);
  /// `line` at the beginning or end of a body of a control statement; it gets braces if it has none.
  void first(const clang::Stmt* body, const std::string& line);
  void last(const clang::Stmt* body, const std::string& line);
  /// Braces around a statement that is no part of a block, with lines before and after it (either may be
  /// empty).
  void braced(const clang::Stmt* statement, const std::string& lineBefore, const std::string& lineAfter);

  /// The exit `leave` with `line` run just before it; a returned value is computed before that, after
  /// `prefix` if there is one.
  void leaveAfter(const clang::Stmt* leave, const std::string& line, const std::string& prefix = "");
  /// One step of indentation of the function's file.
  std::string unit() const;

  bool isInBlock(const clang::Stmt* statement) const;
  std::optional<FileSpan> span(const clang::Stmt* statement);
  std::string path(const FileSpan& span) const { return pathOf(span.file, shape_.context()); }
  std::string_view text(const FileSpan& span) const;

 private:
  bool isWritable(const FileSpan& span);
  /// A statement of a block that a macro makes, and that is all it makes there.
  bool isAllOfItsMacro(const clang::Stmt* statement) const;
  void returnAfter(const clang::ReturnStmt& leave, const std::string& line, const std::string& prefix);

  const FunctionShape& shape_;
  TextEdits& edits_;
  std::string problem_;
};

/// A name that occurs nowhere in the program: `wanted`, else with a number.
std::string freshName(const std::string& wanted, const clang::ASTContext& context);

}  // namespace heddle
