// ComparedRooms: how large the arrays and buffers are that a function's text speaks of: arrays of characters
// that it names, and how far a pointer must lie before another one (`if (end - at < 64)`, `at < end - 12`),
// also in functions of the file that it calls. What is shorter does not come to the code behind.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

class ComparedRooms {
 public:
  explicit ComparedRooms(clang::ASTContext& context) : context_(context) {}

  /// Fills in ComparedValues::rooms of the parameters, which `out` has.
  void add(const clang::FunctionDecl& function, SurveyFunction& out);

 private:
  struct Text {
    std::set<uint64_t> rooms;   // of arrays of characters
    std::set<uint64_t> counts;  // elements of arrays
    std::set<uint64_t> gaps;    // between two pointers
    std::set<const clang::FunctionDecl*> callees;
  };
  class Visitor;

  /// Of the function alone.
  const Text& textOf(const clang::FunctionDecl& function);
  void addGaps(const clang::FunctionDecl& function, unsigned depth,
               std::set<const clang::FunctionDecl*>& known, std::set<uint64_t>& gaps);

  clang::ASTContext& context_;
  std::map<const clang::FunctionDecl*, Text> texts_;
};

}  // namespace heddle
