// FreeCalls: what the functions of one file do with pointers, step by step, as far as memory that is freed is
// concerned: which calls free which place, what is used, and what may get another value.
//
// A call frees what it is given by the name of its function ("free" for bytes; for an object also where the
// file sees that such objects are made by functions), or, for functions of the file, if all its ways do so.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/survey/free_place.h"
#include "analysis/survey/function_flows.h"
#include "clang/AST/ASTContext.h"
#include "clang/Analysis/CFG.h"

namespace heddle {

/// What a function frees for its caller, on every way on which there is something to free.
struct GivenFree {
  unsigned parameter = 0;
  std::string suffix;  // behind the parameter: "->name"; empty: the parameter itself
  const clang::FieldDecl* member = nullptr;
  bool isSet = false;  // it has another value afterwards, on some way
};

struct FreeStep {
  struct Free {
    FreePlace place;
    bool isSet = false;
  };
  const clang::Stmt* statement = nullptr;
  uint32_t line = 0;
  std::vector<std::string> uses;  // pointers that it follows, or gives to a function
  std::vector<Free> frees;
  std::string callee;                       // of a call of a named function
  const clang::Expr* changed = nullptr;     // that it assigns to
  const clang::VarDecl* begun = nullptr;    // whose life begins
  bool isCall = false;                      // what others see may change
  std::vector<std::string> given = {};      // isCall: to no more than these
  std::vector<std::string> addressed = {};  // isCall: places whose address it is given
  bool isQuiet = false;                     // isCall: it changes only what it is given
};

/// One function.
struct FreeFlow {
  const clang::CFG* graph = nullptr;  // null: there is none, or it is too large
  std::map<const clang::CFGBlock*, std::vector<FreeStep>> steps;
  std::set<const clang::VarDecl*> escaped;  // variables whose address is taken
  bool frees = false;                       // some step frees something
};

class FreeCalls {
 public:
  /// The flows must outlive it.
  explicit FreeCalls(FunctionFlows& flows);

  const FreeFlow& flowOf(const clang::FunctionDecl& function);
  /// The step may leave the place with another value.
  static bool changes(const FreeFlow& flow, const FreeStep& step, const FreePlace& place);
  std::optional<std::pair<std::string, bool>> nullTest(const clang::CFGBlock& block) const {
    return nullTestOf(block, context_);
  }

 private:
  using Summary = std::vector<GivenFree>;

  void look(const clang::Stmt& part);
  bool mayFree(const clang::FunctionDecl& function);
  const Summary& summaryOf(const clang::FunctionDecl& function);
  std::optional<GivenFree> followed(const FreeFlow& flow, const FreePlace& place);
  std::vector<FreeStep::Free> freedBy(const clang::CallExpr& call);
  std::optional<unsigned> freedByName(const clang::CallExpr& call) const;
  static bool namesWhole(llvm::StringRef name, const clang::QualType& record);
  bool isWhole(const clang::FunctionDecl& callee) const;
  FreeStep stepOf(const clang::Stmt& statement);
  void addCall(const clang::CallExpr& call, FreeStep& step);
  static void addGiven(const clang::CallExpr& call, bool isOfSystem, FreeStep& step);

  FunctionFlows& flows_;
  clang::ASTContext& context_;
  std::set<const clang::RecordDecl*> made_;         // by functions
  std::set<const clang::FunctionDecl*> addressed_;  // that are given the address of a variable or a member
  std::map<const clang::FunctionDecl*, FreeFlow> freeFlows_;
  std::map<const clang::FunctionDecl*, Summary> summaries_;
  std::map<const clang::FunctionDecl*, bool> mayFree_;
  unsigned depth_ = 0;  // of functions that are being looked at
};

}  // namespace heddle
