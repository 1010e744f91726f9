#include "server/convert/source_token.h"

#include <algorithm>
#include <array>

#include "analysis/support/word.h"

namespace heddle {
namespace {

bool isLineEnd(char c) {
  return c == '\n' || c == '\r';
}
bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

size_t operatorLength(std::string_view text) {
  static constexpr std::array<std::string_view, 22> kOperators = {
      "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
      "!=",  "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
  for (std::string_view op : kOperators)
    if (text.starts_with(op)) return op.size();
  return 1;
}

size_t literalEnd(std::string_view text, size_t begin) {
  size_t at = begin + 1;
  while (at < text.size() && text[at] != text[begin] && !isLineEnd(text[at])) at += text[at] == '\\' ? 2 : 1;
  return std::min(text.size(), at < text.size() && text[at] == text[begin] ? at + 1 : at);
}

/// Assignments and postfix steps are placed at their operator; what they write stands left of it.
bool writesLeft(std::string_view op) {
  const bool comparison = op == "==" || op == "<=" || op == ">=" || op == "!=";
  return op == "++" || op == "--" || (op.ends_with('=') && !comparison);
}

/// The begin of `a.b[i]` or `*p->q` before the operator at `at`; `at` itself when nothing of the kind stands
/// there on the line.
size_t operandBegin(std::string_view text, size_t at) {
  size_t begin = at;
  while (begin > 0 && isSpace(text[begin - 1])) begin--;
  const size_t end = begin;
  for (;;) {
    while (begin > 0 && isIdentifierByte(text[begin - 1])) begin--;
    if (begin > 0 && text[begin - 1] == ']') {
      const size_t open = text.rfind('[', begin - 1);
      if (open == std::string_view::npos ||
          text.substr(open, begin - open).find_first_of("\n\r") != std::string_view::npos)
        break;
      begin = open;
    } else if (begin > 0 && text[begin - 1] == '.') {
      begin--;
    } else if (begin > 1 && text.substr(begin - 2, 2) == "->") {
      begin -= 2;
    } else {
      break;
    }
  }
  return begin == end ? at : begin;
}

}  // namespace

ByteRange tokenAt(std::string_view text, size_t offset) {
  offset = std::min(offset, text.size());
  size_t begin = offset;
  while (begin < text.size() && isSpace(text[begin])) begin++;
  if (begin == text.size() || isLineEnd(text[begin])) {
    begin = offset;
    while (begin > 0 && !isLineEnd(text[begin - 1]) && isSpace(text[begin - 1])) begin--;
    if (begin == 0 ||
        isLineEnd(text[begin - 1])) {  // an empty line: its line end, so that there is something to show
      const size_t end = std::min(text.size(), offset + 1);
      return {begin, std::max(begin, end)};
    }
    begin--;
  }
  if (isIdentifierByte(text[begin])) {
    size_t end = begin;
    while (begin > 0 && isIdentifierByte(text[begin - 1])) begin--;
    while (end < text.size() && isIdentifierByte(text[end])) end++;
    return {begin, end};
  }
  if (text[begin] == '"' || text[begin] == '\'') return {begin, literalEnd(text, begin)};
  const size_t end = std::min(text.size(), begin + operatorLength(text.substr(begin)));
  return {writesLeft(text.substr(begin, end - begin)) ? operandBegin(text, begin) : begin, end};
}

}  // namespace heddle
