// BareLocks: static locks and conditions of a file that have no initial value, and that it does nothing with
// but locking, waiting and the like: nobody else can have initialized them.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace heddle {

class BareLocks {
 public:
  /// In the order of the text, with the functions and initial values of the file.
  void add(const clang::VarDecl& variable, uint32_t line);
  void add(const clang::Stmt& text);
  /// By name: the line where it is declared.
  std::map<std::string, uint32_t> found() const;

 private:
  struct Uses {
    uint32_t line = 0;
    unsigned all = 0, known = 0;  // known: the lock's address is given to a call that initializes nothing
  };
  std::map<const clang::VarDecl*, Uses> locks_;
};

}  // namespace heddle
