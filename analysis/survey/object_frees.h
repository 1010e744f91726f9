// ObjectFrees: which functions free the object that they are given on every way to their end, themselves or
// through functions that they give it to. Such a call is the last one that the object may be in, whatever its
// name: `job_run(job)` that ends with `free(job)`.
//
// Arguments that are constants are followed into the functions of the file, and ways on which there is no
// object do not count. Other conditions are not evaluated.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "analysis/survey/file_locks.h"
#include "analysis/survey/survey.h"
#include "clang/AST/Decl.h"
#include "clang/Analysis/CFG.h"

namespace heddle {

class ObjectFrees {
 public:
  /// `file`: knows the calls of its functions; it must outlive this.
  explicit ObjectFrees(FileLocks& file) : file_(file) {}

  /// Sets SurveyFunction::frees. `function` has a body.
  void addTo(const clang::FunctionDecl& function, SurveyFunction& out);

 private:
  /// Of the object, on all ways to a place; what ways have in common is the largest of theirs.
  enum class State : uint8_t { Unreached, Freed, Kept, Lost };
  /// One parameter of one function, and which others its call gives constants.
  struct Question {
    const clang::FunctionDecl* function = nullptr;
    unsigned parameter = 0;
    std::map<unsigned, int64_t> constants;  // by parameter
    auto operator<=>(const Question&) const = default;
  };
  using Names = std::set<const clang::ValueDecl*>;  // the parameter, and variables that begin as it

  bool mayFree(const clang::FunctionDecl& function);
  bool frees(const Question& question, unsigned depth);
  bool follow(const Question& question, unsigned depth);
  State behind(const clang::CFGBlock& block, State state, Names& names, unsigned depth);
  bool isFreedBy(const clang::CallExpr& call, const Names& names, unsigned depth);
  std::optional<int64_t> constantIn(const clang::Expr& expression) const;
  /// Where the way goes on behind the condition, if that is known.
  std::optional<bool> sideOf(const clang::Expr* condition, const Question& question,
                             const Names& names) const;

  FileLocks& file_;
  std::map<const clang::FunctionDecl*, bool> mayFree_;
  std::map<Question, bool> known_;
};

}  // namespace heddle
