// NullFlow: what a function does with its pointers, place by place, and where the ways from a place lead: to
// a use, to a test, out of the function. Conditions are not evaluated.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "analysis/survey/function_flows.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ParentMap.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace heddle {

/// What happens to a pointer at a place.
struct NullEvent {
  enum class Kind : uint8_t {
    Used,      // what it leads to is read or written
    Given,     // to a call
    Stepped,   // something is added to it, or it is taken from another pointer
    Tested,    // compared with null
    Compared,  // with something else
    Set,       // the variable has another value from here
    Copied,    // somebody else has it, too
    Returned
  };
  Kind kind = Kind::Copied;
  const clang::Expr* of = nullptr;           // the reference to the variable, or another pointer
  const void* at = nullptr;                  // the statement of the graph, or the variable that is declared
  clang::SourceLocation place = {};          // in the text
  const clang::CallExpr* call = nullptr;     // Given
  unsigned argument = 0;                     // Given
  bool isInner = false;                      // the address of a part of what it leads to
  bool isMoved = false;                      // something was added to it before
  bool isAsserted = false;                   // Tested: the process ends if it is null
  const clang::VarDecl* variable = nullptr;  // whose event it is, if it is one's
  const clang::VarDecl* target = nullptr;    // Copied: into this variable
};

/// A condition that compares a variable with null.
struct NullTest {
  const clang::DeclRefExpr* of = nullptr;
  const clang::VarDecl* variable = nullptr;
  bool holdsIfNull = false;
};

class NullFlow {
 public:
  enum class End : uint8_t { No, Maybe, Yes };
  using Ends = llvm::function_ref<End(const clang::CallExpr&)>;
  /// `ends`: whether a call does not return. The function has a body.
  NullFlow(FunctionFlows& flows, const clang::FunctionDecl& function, Ends ends);

  /// What a walk does behind an event. NullSide, SetSide: of a test that ends a block; others end the way.
  enum class Step : uint8_t { GoOn, Use, Tested, Lost, NullSide, SetSide };
  struct Walk {
    std::vector<const NullEvent*> uses;  // the first ones
    bool isTested = false;
    bool isLost = false;                      // some way ends for the walk, or at the function's end
    bool mayStop = false;                     // some way comes to a call that may not return
    std::set<const clang::CFGBlock*> passed;  // to their ends
    bool isUsedAlways() const { return !uses.empty() && !isTested && !isLost; }
  };
  using Ask = llvm::function_ref<Step(const NullEvent&)>;
  struct Place {
    const clang::CFGBlock* block = nullptr;
    size_t element = 0;
  };

  bool isWhole() const { return graph_ != nullptr; }
  const clang::CFG& graph() const { return *graph_; }
  const clang::ParentMap& parents() const { return *parents_; }
  /// From a place on, or from the function's entry.
  Walk walk(Place from, const clang::VarDecl& variable, Ask ask) const;
  Walk walkFromEntry(const clang::VarDecl& variable, Ask ask) const;
  /// Behind a statement of the graph, or behind a declaration; no block: the graph has no such place.
  Place behind(const void* at) const;
  /// What happens to a pointer's value, which is no reference to a variable.
  std::vector<NullEvent> eventsOf(const clang::Expr& value) const;
  const std::vector<NullEvent>& eventsOf(const clang::VarDecl& variable) const;
  std::optional<NullTest> testOf(const clang::CFGBlock& block) const;
  /// Its address is known elsewhere.
  bool isEscaped(const clang::VarDecl& variable) const { return escaped_.contains(&variable); }
  const std::vector<const clang::Expr*>& calls() const { return calls_; }
  const std::vector<const clang::ReturnStmt*>& returns() const { return returns_; }
  const std::vector<const clang::MemberExpr*>& members() const { return members_; }
  bool isReached(const clang::CFGBlock& block) const { return reached_.contains(&block); }
  bool isNull(const clang::Expr& expression) const;
  /// Blocks that the function's entry leads to, not by the `side`th edge of a block.
  std::set<const clang::CFGBlock*> reachedWithout(const clang::CFGBlock* without, unsigned side) const;
  bool isEnd(const clang::CFGBlock& block) const { return ends_.contains(&block); }

 private:
  /// The local variable that an expression is; null: it is none.
  static const clang::VarDecl* variableIn(const clang::Expr* expression);
  void collect(const clang::Stmt& part);
  void climb(const clang::Expr& value, std::vector<NullEvent>& events) const;
  bool climbPlace(const clang::Stmt* parent, const clang::Expr*& at, NullEvent& event, bool& isPlace) const;
  bool finish(const clang::Stmt* parent, const clang::Expr*& at, NullEvent& event,
              std::vector<NullEvent>& events) const;
  void addAliases(const std::vector<const clang::DeclRefExpr*>& references);
  /// False: the way ends in the block.
  bool walkElements(Place from, const clang::VarDecl& variable, const clang::DeclRefExpr* tested, Ask ask,
                    Walk& walk) const;

  clang::ASTContext& context_;
  const clang::CFG* graph_ = nullptr;
  std::unique_ptr<clang::ParentMap> parents_;
  std::set<const clang::VarDecl*> escaped_;
  std::vector<const clang::DeclRefExpr*> references_;
  std::vector<const clang::Expr*> calls_;
  std::vector<const clang::ReturnStmt*> returns_;
  std::vector<const clang::MemberExpr*> members_;
  std::map<const clang::VarDecl*, const clang::VarDecl*> aliases_;  // variables that begin as another
  std::map<const clang::VarDecl*, std::vector<NullEvent>> events_;
  std::map<const void*, std::vector<std::pair<const clang::VarDecl*, size_t>>> at_;
  std::map<const void*, Place> places_;
  std::map<const clang::CFGBlock*, size_t> ends_;   // blocks with a call that does not return: where
  std::map<const clang::CFGBlock*, size_t> stops_;  // that may not return
  std::set<const clang::CFGBlock*> reached_;
};

}  // namespace heddle
