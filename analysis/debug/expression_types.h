// The types that an expression (expression.h) may name: the arithmetic ones, and those that some variable of
// the program has or leads to.
//
// Threading: immutable once made.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/debug/value_view.h"

namespace heddle {

/// "struct node *" and the like.
struct NamedType {
  Scalar scalar;             // of the innermost type, where it is a number
  TypeIndex type = kNoType;  // the innermost type; kNoType: arithmetic, and no variable has it, or void
  unsigned stars = 0;
  bool isVoid = false;
};

/// One of the words that arithmetic types consist of, or a name such as uint32_t.
bool isArithmeticWord(const std::string& word);
/// The type that such words name; there is at least one word.
NamedType arithmeticType(const std::vector<std::string>& words);

class ExpressionTypes {
 public:
  explicit ExpressionTypes(const Program& program);

  /// "struct node", "union u", "enum e", or a name given by typedef.
  std::optional<TypeIndex> named(const std::string& name) const;
  /// The type of the same kind and size, for a pointer to it; kNoType if no variable has it.
  TypeIndex arithmetic(const Scalar& scalar) const;
  TypeIndex pointerTo(TypeIndex type) const;

 private:
  void add(TypeIndex type);

  const Program& program_;
  std::set<TypeIndex> types_;
  std::map<std::string, TypeIndex> names_;
};

}  // namespace heddle
