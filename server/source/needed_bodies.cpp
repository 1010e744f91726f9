#include "server/source/needed_bodies.h"

#include <algorithm>
#include <array>
#include <utility>

#include "server/source/c_tokens.h"

namespace heddle {
namespace {

/// Calls for each identifier and keyword.
template <typename Call>
void forEachWord(std::string_view text, const Call& call) {
  for (const CToken& token : lexC(text).tokens)
    if (token.kind == CTokenKind::Word)
      call(text.substr(token.range.begin, token.range.end - token.range.begin));
}

/// Directives that say the same outside of a function.
bool mayStay(std::string_view directive) {
  constexpr std::array<std::string_view, 10> kStay = {"define", "undef",   "if",       "ifdef", "ifndef",
                                                      "elif",   "elifdef", "elifndef", "else",  "endif"};
  return std::find(kStay.begin(), kStay.end(), directive) != kStay.end();
}

/// What is left of a body: directives and line ends; the opening brace becomes the end of a declaration.
/// Empty where a directive would mean something else then (`#include` of a part, `#pragma`).
std::string blankOf(std::string_view body) {
  const std::vector<CToken> tokens = lexC(body).tokens;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    const ByteRange word = tokens[i + 1].range;
    if (tokens[i].kind == CTokenKind::DirectiveBegin && tokens[i + 1].kind != CTokenKind::DirectiveEnd &&
        !mayStay(body.substr(word.begin, word.end - word.begin)))
      return "";
  }
  std::string left(body.size(), ' ');
  for (size_t i = 0; i < body.size(); ++i)
    if (body[i] == '\n' || body[i] == '\r') left[i] = body[i];
  size_t begin = std::string::npos;
  for (const CToken& token : tokens) {
    if (token.kind == CTokenKind::DirectiveBegin) begin = token.range.begin;
    if (token.kind != CTokenKind::DirectiveEnd || begin == std::string::npos) continue;
    left.replace(begin, token.range.begin - begin, body.substr(begin, token.range.begin - begin));
    begin = std::string::npos;
  }
  left.front() = ';';
  return left;
}

}  // namespace

NeededBodies::NeededBodies(const Survey& survey, const Snapshot& snapshot)
    : text_(snapshot.text), always_(survey.addressed) {
  for (const auto& [name, body] : survey.bodies) {
    const bool isThere = body.begin < body.end && body.end < text_.size() && text_[body.begin] == '{' &&
                         text_[body.end] == '}';
    std::string blank =
        isThere ? blankOf(std::string_view(text_).substr(body.begin, body.end + 1 - body.begin)) : "";
    if (!blank.empty()) blanks_[name] = {body.begin, std::move(blank)};
  }
  for (const auto* functions : {&survey.functions, &survey.inlined})
    for (const SurveyFunction& function : *functions)
      for (const auto* names : {&function.callees, &function.starts, &function.addressed})
        next_[function.name].insert(names->begin(), names->end());
  // What keeps its body needs what that names.
  for (const SurveyFunction& function : survey.functions)
    if (!blanks_.contains(function.name)) always_.insert(function.name);
  const auto note = [&](std::string_view word) {
    if (blanks_.contains(std::string(word))) always_.emplace(word);
  };
  for (const Unit& unit : snapshot.units) {
    const auto overlay = snapshot.overlays.find(unit.path);
    forEachWord(overlay == snapshot.overlays.end() ? unit.text : overlay->second, note);
  }
}

std::string NeededBodies::textFor(std::string_view harness) const {
  std::vector<std::string> open(always_.begin(), always_.end());
  forEachWord(harness, [&](std::string_view word) {
    if (next_.contains(std::string(word))) open.emplace_back(word);
  });
  std::set<std::string> needed;
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    const auto known = next_.find(name);
    if (!needed.insert(name).second || known == next_.end()) continue;
    open.insert(open.end(), known->second.begin(), known->second.end());
  }
  std::string reduced = text_;
  for (const auto& [name, blank] : blanks_)
    if (!needed.contains(name)) reduced.replace(blank.begin, blank.text.size(), blank.text);
  return reduced;
}

}  // namespace heddle
