// GuardWriter: thread-safety attributes as new texts of the files that declare data and functions.
//
// Threading: as the syntax tree.
#pragma once

#include <map>
#include <string>

#include "analysis/repair/text_edits.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

class GuardWriter {
 public:
  explicit GuardWriter(clang::ASTContext& context);

  /// True if it is declared in one of the user's files, and not in a macro.
  bool isUsers(const clang::NamedDecl& declared) const;
  /// `int count GUARDED_BY(lock);` False: the attribute cannot be written there.
  bool guard(const clang::ValueDecl& data, const clang::ValueDecl& lock);
  /// `static void grow(struct pool *pool) REQUIRES(pool->lock);` False: the attribute cannot be written
  /// there.
  bool needs(const clang::FunctionDecl& function, const clang::ParmVarDecl& parameter,
             const clang::ValueDecl& lock);

  /// The new texts by absolute path; the macros are defined where they are missing.
  std::map<std::string, std::string> texts() const;

 private:
  struct Annotated {
    bool guards = false, needs = false;
    size_t first = ~size_t{0};  // offset of the first declaration with an attribute
    clang::FileID file;
  };
  Annotated& noteUse(const clang::Decl& outermost);
  size_t beginOf(const clang::Decl& declared) const;

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  TextEdits edits_;
  std::map<std::string, Annotated> files_;
};

}  // namespace heddle
