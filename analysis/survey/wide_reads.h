// WideReads: how many bytes a function of the file reads at least at a pointer that it is given, on all ways.
// Arguments that are constants are followed.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace heddle {

class WideReads {
 public:
  /// The context must outlive it.
  explicit WideReads(clang::ASTContext& context) : context_(context) {}

  /// 0: none, or it is not known.
  int64_t bytesBy(const clang::CallExpr& call, unsigned argument);
  /// Of the statement itself: "*(uint64_t *)p".
  int64_t bytesOf(const clang::Stmt& statement, const clang::VarDecl& pointer) const;

 private:
  struct Question {
    const clang::FunctionDecl* function = nullptr;
    unsigned parameter = 0;
    unsigned depth = 0;  // of calls around it, which have a limit: the answer is one for the same depth
    std::map<const clang::VarDecl*, int64_t> constants;
    auto operator<=>(const Question&) const = default;
  };

  int64_t follow(const Question& question);
  /// `ends`: nothing behind it is certain to be done.
  int64_t look(const clang::Stmt& part, const Question& question, bool& ends);
  int64_t asked(const clang::CallExpr& call, unsigned argument, const Question* from, unsigned depth);
  std::optional<int64_t> constantOf(const clang::Expr& expression, const Question* question) const;

  clang::ASTContext& context_;
  std::map<Question, int64_t> known_;
};

}  // namespace heddle
