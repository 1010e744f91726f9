// LengthTests: which lengths a way through a function has compared with something since it has set them, so
// that who takes something off them knows that they are large enough.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace heddle {

struct LengthTest {
  enum class Known : uint8_t {
    Nothing,   // as it came
    Lowered,   // something was taken off it, and it was not compared before
    Asked,     // a function that was given it has decided
    Compared,  // with constants
    Bounded,   // in another way, or not to be judged
  };
  Known known = Known::Nothing;
  int64_t least = 0;  // Compared: it is at least that
  uint32_t line = 0;  // Lowered: where
  bool operator==(const LengthTest&) const = default;
};

/// The name of a length: a variable, a member, "strlen(s)"; empty: something else.
std::string lengthName(const clang::Expr& expression);

/// The text of it.
std::string lengthText(const clang::Expr& expression);

/// A difference of a length and a constant that is more than zero; null: something else.
struct LessThanLength {
  const clang::Expr* length = nullptr;
  int64_t less = 0;
};
LessThanLength lessThanLength(const clang::Expr& expression, const clang::ASTContext& context);

/// Of one place of a function.
class LengthTests {
 public:
  explicit LengthTests(const clang::ASTContext& context) : context_(&context) {}

  void run(const clang::Stmt& statement);
  void assume(const clang::Expr& condition, bool holds);
  /// False: nothing changes.
  bool meet(const LengthTests& more);
  LengthTest of(const clang::Expr& length) const;
  /// It is the length of a string that is a parameter, or a member of what one points to.
  bool isOfGivenText(const clang::Expr& length) const;

 private:
  void keepText(const std::string& name, const clang::Expr* value);
  LengthTest at(const std::string& name) const;
  LengthTest valueOf(const clang::Expr& value) const;
  void assign(const clang::Expr& place, const clang::Expr* value);
  void shift(const clang::Expr& place, int64_t by, uint32_t line);
  void runCall(const clang::CallExpr& call);
  void note(const clang::Stmt& part, bool isGiven);
  void raise(const std::string& name, LengthTest test);
  void compare(const clang::Expr& length, clang::BinaryOperatorKind kind, int64_t value);

  const clang::ASTContext* context_;
  std::map<std::string, LengthTest> tests_;
  struct Measured {
    std::string name;  // of strlen()
    bool isGiven = false;
  };
  std::map<std::string, Measured> texts_;  // by the variable that holds it
};

}  // namespace heddle
