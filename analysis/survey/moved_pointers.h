// MovedPointers: pointers into memory that realloc may have moved: a local variable leads into an array, the
// array is reallocated (here, by a function of the file that is given its object, or, behind a pointer to a
// function, by one that the file offers for it), and the variable is used without being set again.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "analysis/survey/free_place.h"
#include "analysis/survey/function_flows.h"
#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// What a function reallocates of what it is given: the parameter, and the text behind it, "->items".
using MovedParts = std::set<std::pair<unsigned, std::string>>;

class MovedPointers {
 public:
  /// The flows must outlive it.
  explicit MovedPointers(FunctionFlows& flows) : flows_(flows), context_(flows.context()) {}
  /// `function` has a body.
  void add(const clang::FunctionDecl& function, Survey& survey);

  const MovedParts& movedBy(const clang::FunctionDecl& function, unsigned depth = 0);
  /// A function that other files may call, and that reallocates this part of such an object; null: none.
  const clang::FunctionDecl* moverOf(clang::QualType object, const std::string& suffix);

 private:
  void collect(const clang::Stmt& part, const clang::FunctionDecl& function, unsigned depth, MovedParts& out);

  FunctionFlows& flows_;
  clang::ASTContext& context_;
  /// With the depth of calls around it, which has a limit: the answer is one for the same depth.
  std::map<std::pair<const clang::FunctionDecl*, unsigned>, MovedParts> moved_;
};

}  // namespace heddle
