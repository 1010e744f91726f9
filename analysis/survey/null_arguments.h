// NullArguments: which pointers that functions are given may be null, as a file itself shows: the function
// compares them with null, hands them to one that does, or a call gives it none.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

class NullArguments {
 public:
  explicit NullArguments(clang::ASTContext& context) : context_(context) {}

  /// Looks at a function that has a body. A comparison behind which the process ends if the pointer is null
  /// says that it is not.
  void add(const clang::FunctionDecl& function);
  /// After all functions: Survey::nullArguments and Survey::nullable, by Survey::tested, too.
  void finish(Survey& survey) const;

 private:
  using Parameter = std::pair<std::string, unsigned>;  // of the function of this name

  clang::ASTContext& context_;
  std::set<Parameter> tested_, given_;               // compared with null; null in some call
  std::map<Parameter, std::set<Parameter>> handed_;  // to the key, by functions that are given it
  std::map<Parameter, std::set<std::string>> data_;  // what calls give, named like data
  std::map<Parameter, std::set<std::string>> kept_;  // where the function keeps it, named like data
  std::set<std::string> cleared_;                    // data set to null by what does not take down
};

}  // namespace heddle
