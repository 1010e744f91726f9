#include "server/source/outline.h"

#include <algorithm>

namespace heddle {
namespace {

class Reader {
 public:
  Reader(std::string_view text, const CText& lexed) : text_(text) {
    const std::vector<CToken>& all = lexed.tokens;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].kind != CTokenKind::DirectiveBegin) {
        tokens_.push_back(all[i]);
        continue;
      }
      if (i + 1 < all.size()) conditional(spelling(all[i + 1]));
      while (i < all.size() && all[i].kind != CTokenKind::DirectiveEnd) ++i;
    }
    while (!groups_.empty()) endGroup();
  }

  Outline run() {
    size_t statement = 0;  // first token of the present declaration
    for (size_t i = 0; i < tokens_.size();) {
      if (is(i, ";") || is(i, "}")) {
        statement = ++i;
      } else if (is(i, "{")) {
        i = closing(i) + 1;  // of a struct, an enum or an initializer
      } else if (is(i, "(")) {
        const size_t close = closing(i);
        const size_t brace = bodyAfter(close);
        if (brace < tokens_.size() && i > statement && tokens_[i - 1].kind == CTokenKind::Word) {
          const size_t end = closing(brace);
          add(statement, i, close, brace, end);
          statement = i = end + 1;
        } else {
          i = close + 1;
        }
      } else {
        i++;
      }
    }
    return std::move(out_);
  }

 private:
  /// The branches of one #if up to its #endif, as ranges of `tokens_`.
  struct Group {
    std::vector<size_t> begins;
  };

  std::string_view spelling(const CToken& token) const {
    return text_.substr(token.range.begin, token.range.end - token.range.begin);
  }

  void conditional(std::string_view directive) {
    if (directive == "if" || directive == "ifdef" || directive == "ifndef")
      groups_.push_back({{tokens_.size()}});
    else if (groups_.empty())
      return;
    else if (directive == "else" || directive.starts_with("elif"))
      groups_.back().begins.push_back(tokens_.size());
    else if (directive == "endif")
      endGroup();
  }

  /// Of branches that open or close brackets only the first stays: all together would count a bracket twice.
  void endGroup() {
    const std::vector<size_t> begins = std::move(groups_.back().begins);
    groups_.pop_back();
    if (begins.size() < 2) return;
    int depth = 0;
    bool balanced = true;
    for (size_t branch = 0; branch < begins.size(); ++branch) {
      const size_t end = branch + 1 < begins.size() ? begins[branch + 1] : tokens_.size();
      for (size_t i = begins[branch]; i < end; ++i) depth += change(spelling(tokens_[i]));
      balanced &= depth == 0;
      depth = 0;
    }
    if (!balanced) tokens_.resize(begins[1]);
  }

  static int change(std::string_view word) {
    if (word == "(" || word == "{" || word == "[") return 1;
    return word == ")" || word == "}" || word == "]" ? -1 : 0;
  }

  std::string_view word(size_t i) const {
    return text_.substr(tokens_[i].range.begin, tokens_[i].range.end - tokens_[i].range.begin);
  }
  bool is(size_t i, std::string_view what) const { return i < tokens_.size() && word(i) == what; }

  /// The matching bracket; the last token when there is none.
  size_t closing(size_t open) const {
    int depth = 0;
    for (size_t i = open; i < tokens_.size(); i++) {
      const std::string_view w = word(i);
      if (w == "(" || w == "{" || w == "[") depth++;
      if ((w == ")" || w == "}" || w == "]") && --depth == 0) return i;
    }
    return tokens_.empty() ? 0 : tokens_.size() - 1;
  }

  /// The brace of a body right after the parameters, or past attributes; else the number of tokens.
  size_t bodyAfter(size_t close) const {
    size_t i = close + 1;
    while (is(i, "__attribute__") && is(i + 1, "(")) i = closing(i + 1) + 1;
    return is(i, "{") ? i : tokens_.size();
  }

  void add(size_t statement, size_t open, size_t close, size_t brace, size_t end) {
    OutlineFunction function;
    function.name = std::string(word(open - 1));
    function.nameRange = tokens_[open - 1].range;
    function.body = {tokens_[brace].range.begin, tokens_[end].range.end};
    for (size_t i = statement; i < open; i++) function.isStatic |= is(i, "static");
    size_t first = open + 1;
    int depth = 0;
    for (size_t i = open + 1; i <= close; i++) {
      if (is(i, "(") || is(i, "[")) depth++;
      const bool ends = i == close || (depth == 0 && is(i, ","));
      if (is(i, ")") || is(i, "]")) depth--;
      if (!ends) continue;
      if (i > first) {
        const std::string parameter(
            text_.substr(tokens_[first].range.begin, tokens_[i - 1].range.end - tokens_[first].range.begin));
        if (parameter != "void") function.parameters.push_back(parameter);
      }
      first = i + 1;
    }
    threadsIn(brace, end);
    out_.functions.push_back(std::move(function));
  }

  void threadsIn(size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
      if (!is(i, "pthread_create") || !is(i + 1, "(")) continue;
      const size_t close = closing(i + 1);
      int depth = 0, argument = 0;
      for (size_t j = i + 2; j < close; j++) {
        if (is(j, "(") || is(j, "[")) depth++;
        if (is(j, ")") || is(j, "]")) depth--;
        if (depth == 0 && is(j, ",")) argument++;
        // The last word counts: a cast may stand before it.
        if (argument == 2 && tokens_[j].kind == CTokenKind::Word && (is(j + 1, ",") || is(j + 1, ")")))
          out_.threadFunctions.insert(std::string(word(j)));
      }
    }
  }

  std::string_view text_;
  std::vector<CToken> tokens_;
  std::vector<Group> groups_;  // that are open
  Outline out_;
};

}  // namespace

const OutlineFunction* Outline::find(std::string_view name) const {
  for (const OutlineFunction& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

const OutlineFunction* Outline::at(size_t offset) const {
  for (const OutlineFunction& function : functions)
    if (offset >= function.nameRange.begin && offset <= function.body.end) return &function;
  return nullptr;
}

CText withoutUnreached(std::string_view text, const CText& lexed, const std::set<std::string>& reached) {
  if (reached.empty() || text.find("always_inline") != std::string_view::npos) return lexed;
  CText kept;
  kept.comments = lexed.comments;
  const Outline outline = outlineOf(text, lexed);
  size_t i = 0;
  for (const OutlineFunction& function : outline.functions) {
    const auto copyTo = [&](size_t offset) {
      while (i < lexed.tokens.size() && lexed.tokens[i].range.begin < offset)
        kept.tokens.push_back(lexed.tokens[i++]);
    };
    if (reached.contains(function.name) || function.body.end <= function.body.begin + 1) continue;
    copyTo(function.body.begin + 1);
    const size_t first = i;
    bool directive = false;  // a macro defined inside counts outside as well
    while (i < lexed.tokens.size() && lexed.tokens[i].range.end < function.body.end)
      directive |= lexed.tokens[i++].kind == CTokenKind::DirectiveBegin;
    if (directive)
      kept.tokens.insert(kept.tokens.end(), lexed.tokens.begin() + static_cast<ptrdiff_t>(first),
                         lexed.tokens.begin() + static_cast<ptrdiff_t>(i));
  }
  kept.tokens.insert(kept.tokens.end(), lexed.tokens.begin() + static_cast<ptrdiff_t>(i), lexed.tokens.end());
  return kept;
}

bool isConditional(std::string_view text, const CText& lexed, size_t offset) {
  int depth = 0;
  for (size_t i = 0; i + 1 < lexed.tokens.size() && lexed.tokens[i].range.begin < offset; ++i) {
    if (lexed.tokens[i].kind != CTokenKind::DirectiveBegin) continue;
    const ByteRange word = lexed.tokens[i + 1].range;
    const std::string_view directive = text.substr(word.begin, word.end - word.begin);
    if (directive.starts_with("if")) ++depth;
    if (directive == "endif") --depth;
  }
  return depth > 0;
}

Outline outlineOf(std::string_view text, const CText& lexed) {
  return Reader(text, lexed).run();
}

std::set<std::string> reachedNames(const PositionMap& map, const Outline& outline, const std::string& path,
                                   const std::vector<SourcePlace>& reached) {
  std::set<std::string> names;
  for (const SourcePlace& place : reached) {
    if (place.file != path || place.line == 0 || place.line > map.lineCount()) continue;
    const bool seen =
        std::any_of(outline.functions.begin(), outline.functions.end(), [&](const OutlineFunction& function) {
          return function.name == place.function &&
                 map.positionOf(function.nameRange.begin, PositionEncoding::Utf8).line + 1 == place.line;
        });
    if (!seen) return {};
    names.insert(place.function);
  }
  return names;
}

}  // namespace heddle
