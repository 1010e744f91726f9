// IndexBounds: how large the checks in a function's text let its integers be, at one place of it.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace heddle {

/// A variable, and the members that lead on from it; null: through the pointer. Empty: no such place.
using ValuePath = std::vector<const clang::ValueDecl*>;

ValuePath valuePath(const clang::Expr& expression, const clang::ASTContext& context);

/// Without casts that keep the value.
const clang::Expr& withoutCasts(const clang::Expr& expression, const clang::ASTContext& context);

/// What a function does to its integers anywhere.
struct IndexUses {
  IndexUses(const clang::Stmt& body, const clang::ASTContext& of);
  const clang::ASTContext& context;
  std::set<const clang::VarDecl*> escaped;      // their addresses are taken
  std::set<ValuePath> compared;                 // with something that is no constant
  std::set<std::pair<ValuePath, int64_t>> met;  // values that a place is tested for

 private:
  void add(const clang::Stmt& part);
  void addAll(const clang::Stmt& part);
  bool addPlain(const clang::BinaryOperator& comparison, const clang::Expr& side, const clang::Expr& other);
};

struct IndexBound {
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  int64_t most = kNone;
  uint32_t line = 0;      // of the check; 0: it is known without
  bool isRaised = false;  // since the check
  bool operator==(const IndexBound&) const = default;
};

class IndexBounds {
 public:
  explicit IndexBounds(const IndexUses& uses) : uses_(&uses) {}

  void run(const clang::Stmt& statement);
  void assume(const clang::Expr& condition, bool holds);
  /// False: nothing changes.
  bool meet(const IndexBounds& more);
  std::optional<IndexBound> of(const clang::Expr& value) const;

 private:
  void compare(clang::BinaryOperatorKind kind, const clang::Expr& value, const clang::Expr& with,
               uint32_t line);
  void limit(const ValuePath& path, int64_t most, uint32_t line);
  void assign(const ValuePath& path, const clang::Expr* value);
  void shift(const ValuePath& path, int64_t by);
  void forget(const ValuePath& path);
  void forgetShared();
  std::optional<IndexBound> ofChoice(const clang::ConditionalOperator& choice) const;

  const IndexUses* uses_;
  std::map<ValuePath, IndexBound> bounds_;
};

}  // namespace heddle
