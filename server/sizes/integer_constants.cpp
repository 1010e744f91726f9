#include "server/sizes/integer_constants.h"

#include <charconv>

namespace heddle {
namespace {

/// The token behind the directive that begins at `begin`: its end.
size_t endOfDirective(const OwnText& own, size_t begin) {
  size_t end = begin;
  while (end < own.lexed.tokens.size() && own.lexed.tokens[end].kind != CTokenKind::DirectiveEnd) ++end;
  return end;
}

bool isNumberToken(const OwnText& own, size_t token) {
  return token < own.lexed.tokens.size() && own.lexed.tokens[token].kind == CTokenKind::Number;
}

/// The declaration before the name at `name` is one of a constant: `static const int`.
bool isConstBefore(const OwnText& own, size_t name) {
  bool isConst = false;
  for (size_t i = name; i > 0 && own.isWord(i - 1); --i) isConst |= own.is(i - 1, "const");
  return isConst;
}

class ConstantReader {
 public:
  explicit ConstantReader(const OwnText& own) : own_(own) {}

  std::vector<IntegerConstant> run() {
    for (size_t i = 0; i < own_.lexed.tokens.size(); ++i) {
      if (own_.lexed.tokens[i].kind == CTokenKind::DirectiveBegin) {
        const size_t end = endOfDirective(own_, i);
        if (own_.is(i + 1, "define")) readMacro(i + 2, end);
        i = end;
        continue;
      }
      if (own_.is(i, "enum")) enumAt_ = true;
      if (own_.is(i, "{")) {
        isEnum_ = enumAt_;
        enumAt_ = false;
      }
      if (own_.is(i, "}") || own_.is(i, ";")) isEnum_ = enumAt_ = false;
      readInitializer(i);
    }
    return std::move(found_);
  }

 private:
  /// `name` is the token of the macro's name, `end` the end of its line.
  void readMacro(size_t name, size_t end) {
    size_t value = name + 1;
    if (value < end && own_.is(value, "(") && !own_.lexed.tokens[value].spaceBefore)
      return;  // takes arguments
    size_t last = end;
    while (value + 2 < last && own_.is(value, "(") && own_.is(last - 1, ")")) ++value, --last;
    if (value + 1 == last && own_.isWord(name)) add(name, value);
  }

  /// `NAME = 16` and a comma, a semicolon or a brace.
  void readInitializer(size_t name) {
    if (!own_.isWord(name) || !own_.is(name + 1, "=") || !isNumberToken(own_, name + 2)) return;
    const bool isEnd = own_.is(name + 3, ",") || own_.is(name + 3, ";") || own_.is(name + 3, "}");
    if (isEnd && (isEnum_ || isConstBefore(own_, name))) add(name, name + 2);
  }

  void add(size_t name, size_t value) {
    if (!isNumberToken(own_, value)) return;
    if (const auto number = integerLiteral(own_.word(value)))
      found_.push_back({std::string(own_.word(name)), own_.lexed.tokens[name].range,
                        own_.lexed.tokens[value].range, *number});
  }

  const OwnText& own_;
  std::vector<IntegerConstant> found_;
  bool enumAt_ = false;  // behind the word, before its brace
  bool isEnum_ = false;  // inside its braces
};

}  // namespace

std::vector<IntegerConstant> integerConstants(const OwnText& own) {
  return ConstantReader(own).run();
}

std::optional<int64_t> integerLiteral(std::string_view text) {
  while (!text.empty() && std::string_view("uUlL").find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.front() == '0') {
    base = 8;
  }
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace heddle
