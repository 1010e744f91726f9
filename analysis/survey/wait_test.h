// WaitTest: what a loop around a wait for a condition tests, and which changes of data can end such a wait.
//
// Threading: on the guarded thread, while the tree is alive.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace heddle {

/// The wait goes on, as far as this part of its loop's test says, while `data relation value`.
struct WaitTest {
  std::string condition;  // what is waited for, named like data
  std::string data;
  clang::BinaryOperatorKind relation = clang::BO_EQ;
  std::optional<int64_t> value;                   // nothing: what it is compared with is no constant
  const clang::FunctionDecl* function = nullptr;  // which waits
  clang::SourceLocation at;                       // of the wait
};

/// A statement that changes data.
struct DataChange {
  enum class Kind : uint8_t { Set, Increase, Decrease };
  std::string data;
  Kind kind = Kind::Set;
  std::optional<int64_t> value;  // Set: to this constant; nothing: no constant
  bool isOfItself = false;       // Set: to what it was, changed: which way, its text does not tell
};

/// Of waits without a time limit, in the order of the text. Only loops that test data by name: what a
/// function called in a test looks at is not known.
std::vector<WaitTest> waitTestsOf(clang::ASTContext& context, const clang::FunctionDecl& function);

/// Nothing: the expression changes no data that has a name.
std::optional<DataChange> dataChangeOf(const clang::Expr& expression, const clang::ASTContext& context);

/// Who waits may have to look again. Numbers count as never negative.
bool mayEnd(const WaitTest& test, const DataChange& change);

}  // namespace heddle
