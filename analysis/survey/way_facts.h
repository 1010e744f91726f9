// WayFacts: what one way through a function tells about the values of its local variables: constants that it
// assigns, and tests against constants that it has passed.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Analysis/CFG.h"

namespace heddle {

/// A number or pointer, null being 0.
struct WayRange {
  int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
  bool isNotZero = false;
  auto operator<=>(const WayRange&) const = default;
};

/// A comparison of a local variable with a constant, and nothing else.
struct PlainTest {
  const clang::VarDecl* variable = nullptr;
  clang::BinaryOperatorKind kind = clang::BO_NE;
  int64_t value = 0;
};

/// Nothing: it is something else.
std::optional<PlainTest> plainTest(const clang::Expr& condition, const clang::ASTContext& context);

/// The local variable or parameter that an expression names; null: it is something else.
const clang::VarDecl* localNamed(const clang::Expr* expression);

/// What the block's end itself decides by: the operands before have blocks of their own. Null: it ends
/// otherwise, or it is a switch.
const clang::Expr* wayCondition(const clang::CFGBlock& block);

class WayFacts {
 public:
  /// Both must outlive it; nothing is known of the variables in `escaped`.
  WayFacts(const std::set<const clang::VarDecl*>& escaped, const clang::ASTContext& context)
      : escaped_(&escaped), context_(&context) {}

  void run(const clang::Stmt& statement);
  /// Nothing: it may go either way.
  std::optional<bool> decide(const clang::Expr& condition) const;
  void assume(const clang::Expr& condition, bool holds);
  void forget(const clang::VarDecl& variable) { ranges_.erase(&variable); }
  bool operator<(const WayFacts& other) const { return ranges_ < other.ranges_; }

 private:
  void assign(const clang::VarDecl& variable, const clang::Expr* value);
  std::optional<WayRange> rangeOf(const clang::Expr& value) const;

  const std::set<const clang::VarDecl*>* escaped_;
  const clang::ASTContext* context_;
  std::map<const clang::VarDecl*, WayRange> ranges_;
};

}  // namespace heddle
