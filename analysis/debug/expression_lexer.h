// The words of an expression (expression.h).
//
// Threading: pure.
#pragma once

#include <string>
#include <string_view>

#include "analysis/debug/value_view.h"

namespace heddle {

struct ExpressionToken {
  enum class Kind : uint8_t { End, Name, Number, Mark, Bad } kind = Kind::End;
  std::string text;
  DebugValue number;
};

class ExpressionLexer {
 public:
  explicit ExpressionLexer(std::string_view text) : text_(text) {}
  ExpressionToken next();

 private:
  ExpressionToken number();
  ExpressionToken character();

  std::string_view text_;
  size_t at_ = 0;
};

/// A number without an address. Its bits are cut to `size` bytes.
DebugValue numberValue(TypeKind kind, uint64_t size, uint64_t bits);

}  // namespace heddle
