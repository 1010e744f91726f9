// LinearFlow: the values of a function's variables and members along its ways, as sums of what they were
// before, and what the conditions on all ways to a statement say of them. Numbers do not wrap around here.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "analysis/survey/free_place.h"
#include "analysis/survey/function_flows.h"
#include "analysis/survey/linear_value.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Analysis/CFG.h"

namespace heddle {

struct LinearState {
  /// Bytes behind an address.
  struct Room {
    LinearValue bytes;
    uint32_t line = 0;      // where they are made; 0: a variable
    bool isCertain = true;  // else a parameter, and its size by the one behind it
    bool operator==(const Room&) const = default;
  };
  /// What a text in a buffer may be long, by the call that has filled it.
  struct Text {
    LinearValue length;
    uint32_t line = 0;
    std::string callee;
    bool operator==(const Text&) const = default;
  };
  std::map<std::string, LinearValue> values;  // by FreePlace::key
  std::map<std::string, Room> rooms;          // by the symbol of the address
  std::map<std::string, Text> texts;          // by the same
  std::set<std::string> wishes;               // symbols: what snprintf returned
  LinearFacts facts;
  std::string contents = "0";  // of bytes that pointers lead to
};

class LinearFlow {
 public:
  /// The function has a body; both outlive this.
  LinearFlow(FunctionFlows& flows, const clang::FunctionDecl& function);

  using Visitor = std::function<void(const clang::Stmt&, const LinearState&)>;
  /// Every statement that is reached, with what is known in front of it.
  void visit(const Visitor& visitor);

  LinearValue valueOf(const clang::Expr& expression, const LinearState& state) const;
  LinearValue addressOf(const clang::Expr& place, const LinearState& state) const;
  /// The bytes that an address leads into, and how far behind their begin it is.
  struct Target {
    std::string base;
    LinearValue offset;
    LinearState::Room room;
  };
  std::optional<Target> targetOf(const clang::Expr& pointer, const LinearState& state) const;
  /// strlen() of what an address leads to.
  static LinearValue textLength(const LinearValue& at, const LinearState& state);
  int64_t sizeOf(clang::QualType type) const;  // 0: it has none
  bool isUsable() const { return graph_ != nullptr; }

 private:
  void collect(const clang::Stmt& part);
  LinearState begin() const;
  void step(const clang::Stmt& statement, LinearState& state) const;
  void assign(const clang::Expr* changed, const FreePlace& place, const LinearValue& value,
              const clang::Stmt& by, LinearState& state) const;
  void declare(const clang::VarDecl& variable, const clang::Stmt& by, LinearState& state) const;
  LinearValue assigned(const clang::Expr& value, const std::string& key, const clang::Stmt& by,
                       LinearState& state) const;
  void call(const clang::CallExpr& call, LinearState& state) const;
  void fill(const clang::CallExpr& call, LinearState& state) const;
  /// Of the values that these symbols stood for before, nothing is known any more.
  static void forget(const std::set<std::string>& symbols, const std::string& by, LinearState& state);
  /// `by` leaves all these places with values of which nothing is known.
  static void change(const std::set<std::string>& keys, const std::string& by, LinearState& state);
  void measured(const clang::Stmt& condition, LinearState& state) const;
  void assume(const clang::CFGBlock& block, bool isFirst, LinearState& state) const;
  LinearValue ofBinary(const clang::BinaryOperator& binary, const LinearState& state) const;
  LinearState join(const clang::CFGBlock& block,
                   const std::map<const clang::CFGBlock*, LinearState>& out) const;
  LinearState behind(const clang::CFGBlock& block, LinearState state, const Visitor* visitor) const;

  clang::ASTContext& context_;
  const clang::FunctionDecl& function_;
  const clang::CFG* graph_ = nullptr;
  std::map<std::string, FreePlace> places_;
  std::set<const clang::VarDecl*> escaped_;
  /// Variables and members that are no longer the same on all ways to a block.
  mutable std::map<const clang::CFGBlock*, std::set<std::string>> mixed_;
};

/// The parameter behind is the size of what the first leads to, by the names; -1: there is none.
int sizeParameterOf(const clang::FunctionDecl& function, unsigned pointer);

/// The argument that is the size of what an allocation returns, and its factor; null: the call is none.
struct LinearAllocation {
  const clang::Expr* size = nullptr;
  const clang::Expr* times = nullptr;
};
LinearAllocation linearAllocation(const clang::CallExpr& call);

/// The name that is called, without what compilers add; empty: a pointer leads to it.
llvm::StringRef linearCallee(const clang::CallExpr& call);

/// It only reads, or writes to what it is given.
bool isQuietCallee(llvm::StringRef name);

/// The text that it prints may be of any length.
bool printsText(const clang::CallExpr& call);

}  // namespace heddle
