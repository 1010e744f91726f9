// Suppressions: findings that the user has looked at and does not want to see as errors, each with a reason:
// as a comment at the place,
//
//     total++;  // heddle: ignore[race] statistics only, an approximate count is fine
//
// (on the finding's line or alone on the line above; the kind may be left out for all), or by id in a
// baseline file, one `id reason` per line. A suppressed finding stays in every report, marked as such.
//
// Threading: pure functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report.h"
#include "server/convert/position_map.h"
#include "server/source/c_tokens.h"

namespace heddle {

struct IgnoreComment {
  uint32_t line = 0;            // 1-based: the line whose findings it is about
  std::vector<Property> kinds;  // empty: all
  std::string reason;
  ByteRange range;      // of the comment
  std::string problem;  // not empty: why it does nothing
};

std::vector<IgnoreComment> ignoreComments(const PositionMap& text);
std::vector<IgnoreComment> ignoreComments(const PositionMap& text, const CText& lexed);

/// Finding id → reason.
using Baseline = std::map<std::string, std::string>;

/// Lines that are empty or begin with '#' are skipped. `problem`: the first line that cannot be read, or
/// empty.
Baseline parseBaseline(std::string_view text, std::string& problem);

/// The lines of a finding in the text that the comments are in: that of its place and, for a race, that of
/// the other access.
std::vector<uint32_t> linesOf(const Finding& finding, const std::string& path);

/// The reason, when a finding of this id and kind on these lines is suppressed.
std::optional<std::string> suppressionOf(const Finding& finding, const std::vector<uint32_t>& lines,
                                         const std::vector<IgnoreComment>& comments,
                                         const Baseline& baseline);

}  // namespace heddle
