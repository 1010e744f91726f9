#include "server/source/needed_bodies.h"

#include <algorithm>
#include <array>

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

/// Leaves directives and line ends; the opening brace becomes the end of a declaration. Nothing where a
/// directive would mean something else then (`#include` of a part, `#pragma`).
void blank(std::string& text, const SurveyBody& body) {
  const std::string_view part = std::string_view(text).substr(body.begin, body.end + 1 - body.begin);
  const std::vector<CToken> tokens = lexC(part).tokens;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    const ByteRange word = tokens[i + 1].range;
    if (tokens[i].kind == CTokenKind::DirectiveBegin && tokens[i + 1].kind != CTokenKind::DirectiveEnd &&
        !mayStay(part.substr(word.begin, word.end - word.begin)))
      return;
  }
  std::string left(part.size(), ' ');
  for (size_t i = 0; i < part.size(); ++i)
    if (part[i] == '\n' || part[i] == '\r') left[i] = part[i];
  size_t begin = std::string::npos;
  for (const CToken& token : tokens) {
    if (token.kind == CTokenKind::DirectiveBegin) begin = token.range.begin;
    if (token.kind != CTokenKind::DirectiveEnd || begin == std::string::npos) continue;
    std::copy(part.begin() + static_cast<std::ptrdiff_t>(begin),
              part.begin() + static_cast<std::ptrdiff_t>(token.range.begin),
              left.begin() + static_cast<std::ptrdiff_t>(begin));
    begin = std::string::npos;
  }
  left.front() = ';';
  text.replace(body.begin, left.size(), left);
}

}  // namespace

NeededBodies::NeededBodies(const Survey& survey, const Snapshot& snapshot)
    : bodies_(survey.bodies), always_(survey.addressed) {
  for (const auto* functions : {&survey.functions, &survey.inlined})
    for (const SurveyFunction& function : *functions)
      for (const auto* names : {&function.callees, &function.starts, &function.addressed})
        next_[function.name].insert(names->begin(), names->end());
  // What keeps its body needs what that names.
  for (const SurveyFunction& function : survey.functions)
    if (!bodies_.contains(function.name)) always_.insert(function.name);
  const auto note = [&](std::string_view word) {
    if (const auto body = bodies_.find(std::string(word)); body != bodies_.end()) always_.insert(body->first);
  };
  for (const Unit& unit : snapshot.units) {
    const auto overlay = snapshot.overlays.find(unit.path);
    forEachWord(overlay == snapshot.overlays.end() ? unit.text : overlay->second, note);
  }
}

std::string NeededBodies::textFor(const std::string& text, std::string_view harness) const {
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
  std::string reduced = text;
  for (const auto& [name, body] : bodies_) {
    const bool isThere =
        body.begin < body.end && body.end < text.size() && text[body.begin] == '{' && text[body.end] == '}';
    if (isThere && !needed.contains(name)) blank(reduced, body);
  }
  return reduced;
}

}  // namespace heddle
