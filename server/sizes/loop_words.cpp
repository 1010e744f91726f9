#include "server/sizes/loop_words.h"

#include <algorithm>
#include <map>

#include "server/source/outline.h"

namespace heddle {
namespace {

/// Token numbers, end exclusive.
struct TokenSpan {
  size_t begin = 0, end = 0;
};

class LoopReader {
 public:
  LoopReader(const std::vector<OwnText>& texts, const std::set<std::string>& reached)
      : texts_(texts), reached_(reached) {
    for (const OwnText& own : texts_) outlines_.push_back(outlineOf(own.text, own.lexed));
  }

  std::set<std::string> run() {
    for (size_t i = 0; i < texts_.size(); ++i) readText(texts_[i], outlines_[i]);
    std::vector<std::string> left(bounds_.begin(), bounds_.end());
    while (!left.empty()) {
      const std::string word = std::move(left.back());
      left.pop_back();
      for (const std::string& source : sources_[word])
        if (bounds_.insert(source).second) left.push_back(source);
    }
    return std::move(bounds_);
  }

 private:
  /// The closing bracket of the one at `open`, or the end.
  static size_t closing(const OwnText& own, size_t open) {
    size_t depth = 0;
    for (size_t i = open; i < own.lexed.tokens.size(); ++i) {
      if (own.is(i, "(") || own.is(i, "[") || own.is(i, "{")) ++depth;
      if (own.is(i, ")") || own.is(i, "]") || own.is(i, "}")) --depth;
      if (depth == 0) return i;
    }
    return own.lexed.tokens.size();
  }

  void readText(const OwnText& own, const Outline& outline) {
    for (size_t i = 0; i < own.lexed.tokens.size(); ++i) {
      if (own.lexed.tokens[i].kind == CTokenKind::DirectiveBegin) {
        const size_t begin = i;
        while (i < own.lexed.tokens.size() && own.lexed.tokens[i].kind != CTokenKind::DirectiveEnd) ++i;
        if (own.is(begin + 1, "define")) readMacro(own, {begin + 2, i});
        continue;
      }
      const OutlineFunction* function = outline.at(own.lexed.tokens[i].range.begin);
      if (function != nullptr && !reached_.empty() && !reached_.contains(function->name)) continue;
      readCondition(own, i);
      readAssignment(own, i);
      readCall(own, i);
    }
  }

  /// A macro stands for the words in it; one with a loop in it has a condition.
  void readMacro(const OwnText& own, TokenSpan macro) {
    if (!own.isWord(macro.begin)) return;
    const std::string name(own.word(macro.begin));
    for (size_t i = macro.begin + 1; i < macro.end; ++i) {
      if (own.isWord(i)) sources_[name].emplace(own.word(i));
      readCondition(own, i);
    }
  }

  void readCondition(const OwnText& own, size_t at) {
    const bool isFor = own.is(at, "for");
    if ((!isFor && !own.is(at, "while")) || !own.is(at + 1, "(")) return;
    TokenSpan condition{at + 2, closing(own, at + 1)};
    if (isFor) {
      const auto semicolon = [&](size_t from) {
        while (from < condition.end && !own.is(from, ";")) ++from;
        return from;
      };
      condition.begin = std::min(condition.end, semicolon(condition.begin) + 1);
      condition.end = semicolon(condition.begin);
    }
    for (size_t i = condition.begin; i < condition.end; ++i)
      if (own.isWord(i)) bounds_.emplace(own.word(i));
  }

  /// Words, numbers and arithmetic without calls: what hands a size on. Others have none.
  static std::set<std::string> simpleWords(const OwnText& own, TokenSpan value) {
    std::set<std::string> words;
    for (size_t i = value.begin; i < value.end; ++i) {
      if (own.isWord(i) && !own.is(i + 1, "("))
        words.emplace(own.word(i));
      else if (own.lexed.tokens[i].kind != CTokenKind::Number &&
               std::string_view("+-*/()").find(own.word(i)) == std::string_view::npos)
        return {};
    }
    return words;
  }

  /// Up to a comma or the end of what is around `begin`.
  static size_t endOfValue(const OwnText& own, size_t begin) {
    size_t i = begin;
    while (i < own.lexed.tokens.size()) {
      if (own.is(i, "(") || own.is(i, "[") || own.is(i, "{"))
        i = closing(own, i);
      else if (own.is(i, ",") || own.is(i, ";") || own.is(i, ")") || own.is(i, "]") || own.is(i, "}"))
        break;
      ++i;
    }
    return std::min(i, own.lexed.tokens.size());
  }

  /// `name = SIZE`, also of a field.
  void readAssignment(const OwnText& own, size_t at) {
    if (!own.isWord(at) || !own.is(at + 1, "=") || own.is(at + 2, "=")) return;
    for (const std::string& word : simpleWords(own, {at + 2, endOfValue(own, at + 2)}))
      sources_[std::string(own.word(at))].insert(word);
  }

  /// `f(SIZE)`: the parameter has it.
  void readCall(const OwnText& own, size_t at) {
    if (!own.isWord(at) || !own.is(at + 1, "(")) return;
    const OutlineFunction* called = nullptr;
    for (const Outline& outline : outlines_)
      if (called == nullptr) called = outline.find(own.word(at));
    if (called == nullptr) return;
    size_t begin = at + 2;
    for (const std::string& parameter : called->parameters) {
      const size_t end = endOfValue(own, begin);
      for (const std::string& word : simpleWords(own, {begin, end})) sources_[nameIn(parameter)].insert(word);
      if (!own.is(end, ",")) return;
      begin = end + 1;
    }
  }

  /// "int count" is `count`: the last word.
  static std::string nameIn(const std::string& parameter) {
    std::string name;
    const CText lexed = lexC(parameter);
    for (const CToken& token : lexed.tokens)
      if (token.kind == CTokenKind::Word)
        name = parameter.substr(token.range.begin, token.range.end - token.range.begin);
    return name;
  }

  const std::vector<OwnText>& texts_;
  const std::set<std::string>& reached_;
  std::vector<Outline> outlines_;
  std::set<std::string> bounds_;
  std::map<std::string, std::set<std::string>> sources_;  // where a name's value comes from
};

}  // namespace

std::set<std::string> loopWords(const std::vector<OwnText>& texts, const std::set<std::string>& reached) {
  return LoopReader(texts, reached).run();
}

}  // namespace heddle
