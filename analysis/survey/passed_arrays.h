// PassedArrays: how large the arrays are that a file gives to functions which it keeps to itself.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace heddle {

class PassedArrays {
 public:
  explicit PassedArrays(const clang::ASTContext& context) : context_(context) {}
  void add(const clang::Stmt& text);
  /// By function and parameter: elements of the smallest array that a call gives it, where all calls of the
  /// file give arrays of numbers.
  std::map<std::string, std::map<unsigned, uint64_t>> found() const;

 private:
  const clang::ASTContext& context_;
  std::map<std::pair<std::string, unsigned>, uint64_t> arrays_;
  std::set<std::pair<std::string, unsigned>> others_;
};

}  // namespace heddle
