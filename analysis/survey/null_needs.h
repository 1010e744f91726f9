// NullNeeds: which pointers functions need to lead somewhere, and which functions may return null, by their
// bodies, as far as the file has them, and by the C library's manual.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/survey/function_flows.h"
#include "analysis/survey/null_flow.h"

namespace heddle {

struct NullSummary {
  /// Sized: the function needs it if a length beside it is not 0. Wanted: it needs it unless it fails.
  enum class Need : uint8_t { None, Sized, Wanted, Always };
  std::vector<Need> needs;  // by parameter
  bool isFallible = false;  // it returns null where an allocation or the like fails
  bool isEnd = false;       // it does not return
};

/// Functions of the C library that return null.
enum class NullLibrary : uint8_t { None, Allocation, Search, Time, Other };

class NullNeeds {
 public:
  /// The flows must outlive it.
  explicit NullNeeds(FunctionFlows& flows) : flows_(flows), context_(flows.context()) {}

  NullFlow flowOf(const clang::FunctionDecl& function);
  NullSummary::Need needOf(const clang::CallExpr& call, unsigned argument);
  bool isFallible(const clang::FunctionDecl& function);
  static NullLibrary libraryOf(llvm::StringRef name);
  /// It may fail, by its name: "my_alloc".
  static bool isAllocation(llvm::StringRef name);
  /// The name of the function that is called; empty: none, or it is no plain one.
  static llvm::StringRef nameOf(const clang::CallExpr& call);
  /// An event that is a use, or as good as one. `isSized`: if a length may be 0, too.
  bool isUse(const NullEvent& event, bool isSized);

 private:
  const NullSummary& summaryOf(const clang::FunctionDecl& function);
  NullFlow::End endOf(const clang::CallExpr& call);
  NullSummary::Need needIn(const NullFlow& flow, const clang::ParmVarDecl& parameter);
  bool isWanted(const NullFlow& flow, const clang::ParmVarDecl& parameter);
  bool isFallibleIn(const NullFlow& flow);

  FunctionFlows& flows_;
  clang::ASTContext& context_;
  std::map<const clang::FunctionDecl*, NullSummary> known_;
  unsigned depth_ = 0;
};

}  // namespace heddle
