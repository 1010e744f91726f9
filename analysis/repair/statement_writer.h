// StatementWriter: writes statements before, after and in place of others, with braces where the grammar
// needs them and with the white space of the surroundings.
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

  /// Why something could not be written; empty: there is no problem. Once it is set, all further calls have
  /// no effect.
  const std::string& problem() const { return problem_; }
  void fail(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
  }

  void before(const clang::Stmt* statement, const std::string& line);
  void after(const clang::Stmt* statement, const std::string& line);
  /// Removes a statement, with its line if nothing else stands on it.
  void remove(const clang::Stmt* statement);
  /// Replaces `outer`, a statement of a block, by `body`, a part of it that has no ways out and no edits.
  /// If that is not known, `outer` stays.
  void unwrap(const clang::Stmt* outer, const clang::Stmt* body);
  /// Writes `line` at the beginning or end of a body of a control statement, which gets braces if it has
  /// none.
  void first(const clang::Stmt* body, const std::string& line);
  void last(const clang::Stmt* body, const std::string& line);
  /// Writes braces around a statement that is not in a block, with lines before and after it (either may be
  /// empty).
  void braced(const clang::Stmt* statement, const std::string& lineBefore, const std::string& lineAfter);

  /// Makes `line` run right before the exit `leave`. A returned value is computed before `line`, and after
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
  /// True for a statement of a block that is the whole expansion of a macro.
  bool isAllOfItsMacro(const clang::Stmt* statement) const;
  void returnAfter(const clang::ReturnStmt& leave, const std::string& line, const std::string& prefix);

  const FunctionShape& shape_;
  TextEdits& edits_;
  std::string problem_;
};

/// A name that occurs nowhere in the program: `wanted`, or otherwise `wanted` with a number.
std::string freshName(const std::string& wanted, const clang::ASTContext& context);

}  // namespace heddle
