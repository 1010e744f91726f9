#include "analysis/debug/expression_lexer.h"

#include <array>
#include <bit>
#include <cctype>
#include <cstdlib>

#include "analysis/support/word.h"

namespace heddle {

DebugValue numberValue(TypeKind kind, uint64_t size, uint64_t bits) {
  DebugValue value;
  value.scalar = Scalar{kind, size, bits & widthMask(static_cast<unsigned>(size * 8)), false};
  return value;
}

ExpressionToken ExpressionLexer::next() {
  while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  if (at_ == text_.size()) return {};
  const char c = text_[at_];
  if (std::isdigit(static_cast<unsigned char>(c))) return number();
  if (c == '\'') return character();
  if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
    const size_t from = at_;
    while (at_ < text_.size() && isWordCharacter(text_[at_])) ++at_;
    return {ExpressionToken::Kind::Name, std::string(text_.substr(from, at_ - from)), {}};
  }
  static constexpr std::array<std::string_view, 10> kTwo = {
      "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++"};
  for (const std::string_view two : kTwo)
    if (text_.substr(at_, 2) == two) {
      at_ += 2;
      return {ExpressionToken::Kind::Mark, std::string(two), {}};
    }
  ++at_;
  return {ExpressionToken::Kind::Mark, std::string(1, c), {}};
}

ExpressionToken ExpressionLexer::number() {
  const size_t from = at_;
  const bool isHexadecimal = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
  while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.'))
    ++at_;
  std::string text(text_.substr(from, at_ - from));
  if (!isHexadecimal && text.find_first_of(".eE") != std::string::npos) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (*end != 0) return {ExpressionToken::Kind::Bad, text, {}};
    return {ExpressionToken::Kind::Number, text,
            numberValue(TypeKind::Floating, 8, std::bit_cast<uint64_t>(value))};
  }
  bool isUnsigned = false, isLong = false;
  std::string digits = text;
  while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos) {
    (digits.back() == 'u' || digits.back() == 'U' ? isUnsigned : isLong) = true;
    digits.pop_back();
  }
  char* end = nullptr;
  const uint64_t value = std::strtoull(digits.c_str(), &end, 0);
  if (digits.empty() || *end != 0) return {ExpressionToken::Kind::Bad, text, {}};
  isLong |= value > (isUnsigned || isHexadecimal ? 0xffffffffu : 0x7fffffffu);
  if (isHexadecimal && value > 0x7fffffffu && !isLong) isUnsigned = true;
  return {ExpressionToken::Kind::Number, text,
          numberValue(isUnsigned ? TypeKind::Unsigned : TypeKind::Signed, isLong ? 8 : 4, value)};
}

ExpressionToken ExpressionLexer::character() {
  const size_t end = text_.find('\'', at_ + (text_.substr(at_ + 1, 1) == "\\" ? 3 : 2));
  if (end == std::string_view::npos) {
    at_ = text_.size();
    return {ExpressionToken::Kind::Bad, "'", {}};
  }
  const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
  at_ = end + 1;
  char value = inside[0];
  if (inside.size() == 2 && value == '\\') {
    const size_t known = std::string_view("ntr0\\'\"").find(inside[1]);
    if (known == std::string_view::npos) return {ExpressionToken::Kind::Bad, std::string(inside), {}};
    value = "\n\t\r\0\\'\""[known];
  } else if (inside.size() != 1) {
    return {ExpressionToken::Kind::Bad, std::string(inside), {}};
  }
  return {ExpressionToken::Kind::Number, std::string(inside),
          numberValue(TypeKind::Signed, 4, static_cast<uint64_t>(value))};
}

}  // namespace heddle
