#include "server/source/suppressions.h"

#include <algorithm>

#include "server/source/c_tokens.h"

namespace heddle {
namespace {

/// What stands between "ignore" and the end of the comment.
void parse(std::string_view words, IgnoreComment& out) {
  if (words.starts_with("[")) {
    const size_t close = words.find(']');
    if (close == std::string_view::npos) {
      out.problem = "a ']' is missing: write ignore[race] and a reason";
      return;
    }
    std::string_view list = words.substr(1, close - 1);
    words.remove_prefix(close + 1);
    while (!list.empty()) {
      const size_t comma = std::min(list.find(','), list.size());
      const std::string_view kind = trimmed(list.substr(0, comma));
      if (const std::optional<Property> property = parseProperty(kind))
        out.kinds.push_back(*property);
      else
        out.problem = "unknown kind '" + std::string(kind) + "': write one of " + propertyNames();
      list.remove_prefix(std::min(list.size(), comma + 1));
    }
  }
  out.reason = std::string(trimmed(words));
  if (out.problem.empty() && out.reason.empty()) out.problem = "give a reason after ignore[…]";
}

}  // namespace

std::vector<IgnoreComment> ignoreComments(const PositionMap& text) {
  return ignoreComments(text, lexC(text.text()));
}

std::vector<IgnoreComment> ignoreComments(const PositionMap& text, const CText& lexed) {
  std::vector<IgnoreComment> found;
  for (const ByteRange range : lexed.comments) {
    std::string_view words =
        heddleComment(std::string_view(text.text()).substr(range.begin, range.end - range.begin));
    if (!words.starts_with("ignore")) continue;
    words.remove_prefix(6);
    IgnoreComment comment;
    comment.range = range;
    const TextPosition at = text.positionOf(range.begin, PositionEncoding::Utf8);
    const bool alone = trimmed(text.line(at.line).substr(0, at.character)).empty();
    comment.line = at.line + (alone ? 2 : 1);
    parse(words, comment);
    found.push_back(std::move(comment));
  }
  return found;
}

Baseline parseBaseline(std::string_view text, std::string& problem) {
  Baseline baseline;
  uint32_t number = 0;
  problem.clear();
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
    number++;
    if (line.empty() || line.starts_with("#")) continue;
    const size_t space = line.find_first_of(" \t");
    if (space == std::string_view::npos) {
      if (problem.empty())
        problem = "line " + std::to_string(number) + ": write the finding's id and a reason";
      continue;
    }
    baseline[std::string(line.substr(0, space))] = std::string(trimmed(line.substr(space)));
  }
  return baseline;
}

std::vector<uint32_t> linesOf(const Finding& finding, const std::string& path) {
  std::vector<uint32_t> lines;
  const auto add = [&](const SourcePlace& place) {
    if (place.line != 0 && (place.file.empty() || place.file == path)) lines.push_back(place.line);
  };
  add(finding.place);
  if (isRace(finding))
    for (const RelatedPlace& related : finding.related) add(related.place);
  return lines;
}

std::optional<std::string> suppressionOf(const Finding& finding, const std::vector<uint32_t>& lines,
                                         const std::vector<IgnoreComment>& comments,
                                         const Baseline& baseline) {
  if (const auto known = baseline.find(finding.id); known != baseline.end()) return known->second;
  for (const IgnoreComment& comment : comments) {
    const bool kind = comment.kinds.empty() || std::find(comment.kinds.begin(), comment.kinds.end(),
                                                         finding.kind) != comment.kinds.end();
    if (comment.problem.empty() && kind && std::find(lines.begin(), lines.end(), comment.line) != lines.end())
      return comment.reason;
  }
  return std::nullopt;
}

}  // namespace heddle
