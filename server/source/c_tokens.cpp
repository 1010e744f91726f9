#include "server/source/c_tokens.h"

#include <algorithm>
#include <cctype>

#include "analysis/support/word.h"

namespace heddle {
namespace {

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  CText run() {
    while (at_ < text_.size()) step();
    endDirective();
    return std::move(out_);
  }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  /// The length of a line splice at `offset`, or 0.
  size_t spliceAt(size_t offset) const {
    if (offset >= text_.size() || text_[offset] != '\\') return 0;
    if (text_.substr(offset + 1, 2) == "\r\n") return 3;
    return text_.substr(offset + 1, 1) == "\n" ? 2 : 0;
  }

  void add(CTokenKind kind, size_t begin) {
    out_.tokens.push_back({kind, {begin, at_}, space_});
    space_ = lineStart_ = false;
  }

  void endDirective() {
    if (!directive_) return;
    directive_ = false;
    out_.tokens.push_back({CTokenKind::DirectiveEnd, {at_, at_}, false});
  }

  void step() {
    const char c = peek();
    const size_t begin = at_;
    if (const size_t splice = spliceAt(at_)) {
      at_ += splice;
      space_ = true;
    } else if (c == '\n') {
      endDirective();
      at_++;
      space_ = lineStart_ = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      at_++;
      space_ = true;
    } else if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
      comment();
    } else if (c == '"' || c == '\'') {
      literal(c);
      add(CTokenKind::Literal, begin);
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 ||
               (c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))) != 0)) {
      number();
      add(CTokenKind::Number, begin);
    } else if (isIdentifierByte(c)) {
      while (isIdentifierByte(peek())) at_++;
      add(CTokenKind::Word, begin);
    } else {
      at_++;
      const bool directive = c == '#' && lineStart_ && !directive_;
      directive_ |= directive;
      add(directive ? CTokenKind::DirectiveBegin : CTokenKind::Punctuation, begin);
    }
  }

  void comment() {
    const size_t begin = at_;
    if (peek(1) == '*') {
      const size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else {
      while (at_ < text_.size() && text_[at_] != '\n') at_ += std::max<size_t>(1, spliceAt(at_));
      at_ = std::min(at_, text_.size());
    }
    size_t end = at_;
    while (end > begin && text_[end - 1] == '\r') end--;
    out_.comments.push_back({begin, end});
    space_ = true;
  }

  void literal(char quote) {
    at_++;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n')
      at_ += text_[at_] == '\\' ? std::max<size_t>(2, spliceAt(at_)) : 1;
    at_ = std::min(at_, text_.size());
    if (peek() == quote) at_++;
  }

  void number() {
    while (isIdentifierByte(peek()) || peek() == '.' ||
           ((peek() == '+' || peek() == '-') &&
            std::string_view("eEpP").find(text_[at_ - 1]) != std::string_view::npos))
      at_++;
  }

  std::string_view text_;
  size_t at_ = 0;
  CText out_;
  bool space_ = false;
  bool lineStart_ = true;
  bool directive_ = false;
};

std::string_view spelling(std::string_view text, ByteRange range) {
  return text.substr(range.begin, range.end - range.begin);
}

/// Whether the two would be another token, or two others, without the space between them.
bool joins(std::string_view text, const CToken& left, const CToken& right) {
  constexpr std::string_view kOperators = "+-*/%&|^<>=!.#:";
  const auto isOperator = [&](const CToken& token) {
    return token.kind == CTokenKind::Punctuation &&
           kOperators.find(text[token.range.begin]) != std::string_view::npos;
  };
  return (isOperator(left) && isOperator(right)) ||
         (left.kind == CTokenKind::Word && right.kind == CTokenKind::Literal);
}

std::vector<std::string_view> spoken(std::string_view text, const CText& lexed) {
  std::vector<std::string_view> found;
  for (const ByteRange comment : lexed.comments)
    if (const std::string_view words = heddleComment(spelling(text, comment)); !words.empty())
      found.push_back(words);
  return found;
}

}  // namespace

CText lexC(std::string_view text) {
  return Lexer(text).run();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string_view heddleComment(std::string_view comment) {
  if (comment.size() < 2) return {};
  if (comment.starts_with("/*") && comment.ends_with("*/") && comment.size() >= 4) comment.remove_suffix(2);
  comment.remove_prefix(2);
  const auto trim = [&comment] {
    while (!comment.empty() && std::isspace(static_cast<unsigned char>(comment.front())) != 0)
      comment.remove_prefix(1);
    while (!comment.empty() && std::isspace(static_cast<unsigned char>(comment.back())) != 0)
      comment.remove_suffix(1);
  };
  trim();
  constexpr std::string_view kPrefix = "heddle:";
  if (!comment.starts_with(kPrefix)) return {};
  comment.remove_prefix(kPrefix.size());
  trim();
  return comment;
}

bool sameProgram(std::string_view before, std::string_view after) {
  return before == after || sameProgram(before, lexC(before), after, lexC(after));
}

bool sameProgram(std::string_view before, const CText& a, std::string_view after, const CText& b) {
  if (a.tokens.size() != b.tokens.size()) return false;
  bool directive = false;
  for (size_t i = 0; i < a.tokens.size(); i++) {
    const CToken &x = a.tokens[i], &y = b.tokens[i];
    const std::string_view word = spelling(before, x.range);
    if (x.kind != y.kind || word != spelling(after, y.range) || word == "__LINE__") return false;
    if (x.kind == CTokenKind::DirectiveBegin || x.kind == CTokenKind::DirectiveEnd)
      directive = x.kind == CTokenKind::DirectiveBegin;
    // `#define f(x)` is not `#define f (x)`, and `a+ +b` is not `a++b`.
    if (x.spaceBefore != y.spaceBefore && (directive || (i > 0 && joins(before, a.tokens[i - 1], x))))
      return false;
  }
  return spoken(before, a) == spoken(after, b);
}

}  // namespace heddle
