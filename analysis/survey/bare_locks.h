// BareLocks: static locks and conditions of a file that have no initial value, and such members of structures
// that the file itself defines and makes objects of. It does nothing with them but locking, waiting and the
// like: nobody else can have initialized them.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace heddle {

class BareLocks {
 public:
  /// In the order of the text, with the functions and initial values of the file.
  void add(const clang::VarDecl& variable, uint32_t line);
  void add(const clang::RecordDecl& record);
  void add(const clang::Stmt& text);
  /// By name, as data is named: the line where it is declared.
  std::map<std::string, uint32_t> found() const;

 private:
  struct Uses {
    uint32_t line = 0;
    unsigned all = 0, known = 0;  // known: the lock's address is given to a call that initializes nothing
  };
  void addList(const clang::InitListExpr& list);
  void noteMade(clang::QualType type);

  std::map<const clang::ValueDecl*, Uses> locks_;  // variables and members
  std::set<const clang::RecordDecl*> made_;
};

}  // namespace heddle
