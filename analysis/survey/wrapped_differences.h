// WrappedDifferences: indices and sizes that are differences, and may lie below zero, by what the same file
// says elsewhere: `line[len - 1]` where another function tests `len` before it does the same; a length that
// something was taken off before, untested; an index into an array that begins at a difference and is
// compared with its end alone.
//
// Conditions are not evaluated but for comparisons with constants, so what is told is a guess.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/survey/function_flows.h"
#include "analysis/survey/survey.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace heddle {

/// One use of a difference of a length and a constant.
struct LengthUse {
  enum class Kind : uint8_t { Tested, Untested, Lowered };
  Kind kind = Kind::Untested;
  std::string access;    // "line[len - 1]"
  std::string value;     // "len - 1"
  std::string function;  // where
  uint32_t line = 0;
  uint32_t lowered = 0;  // Lowered: where
  bool isText = false;   // the length is that of a string that the function is given
  bool isVariable = false;
  bool isInside = false;  // the function is static: its callers are known, and may know
};

class WrappedDifferences {
 public:
  /// The flows must outlive it.
  explicit WrappedDifferences(FunctionFlows& flows) : flows_(flows), context_(flows.context()) {}
  /// `function` has a body.
  void add(const clang::FunctionDecl& function, Survey& survey);
  /// Behind all functions.
  void finish(Survey& survey);

 private:
  FunctionFlows& flows_;
  clang::ASTContext& context_;
  std::vector<LengthUse> uses_;
};

}  // namespace heddle
