#include "server/render/unified_diff.h"

#include <algorithm>

#include "analysis/repair/text_edits.h"

namespace heddle {
namespace {

constexpr size_t kContext = 3;

std::string rangeText(size_t begin, size_t count) {
  // An empty range names the line before it.
  const size_t first = count == 0 ? begin : begin + 1;
  return std::to_string(first) + (count == 1 ? "" : "," + std::to_string(count));
}

void addLines(std::string& out, char mark, const std::vector<std::string_view>& lines, size_t begin,
              size_t end) {
  for (size_t i = begin; i < end; ++i) {
    out += mark;
    out += lines[i];
    if (!lines[i].ends_with('\n')) out += "\n\\ No newline at end of file\n";
  }
}

}  // namespace

std::string unifiedDiff(const std::string& file, std::string_view before, std::string_view after) {
  const std::vector<LineHunk> hunks = lineDifference(before, after);
  if (hunks.empty()) return {};
  const std::vector<std::string_view> old = linesOf(before), fresh = linesOf(after);
  std::string out = "--- " + file + "\n+++ " + file + "\n";
  size_t i = 0;
  while (i < hunks.size()) {
    size_t last = i;
    while (last + 1 < hunks.size() && hunks[last + 1].oldBegin - hunks[last].oldEnd <= 2 * kContext) ++last;
    const size_t lead = std::min(kContext, hunks[i].oldBegin);
    const size_t oldBegin = hunks[i].oldBegin - lead, newBegin = hunks[i].newBegin - lead;
    const size_t tail = std::min(kContext, old.size() - hunks[last].oldEnd);
    out += "@@ -" + rangeText(oldBegin, hunks[last].oldEnd + tail - oldBegin) + " +" +
           rangeText(newBegin, hunks[last].newEnd + tail - newBegin) + " @@\n";
    size_t at = oldBegin;
    for (; i <= last; ++i) {
      addLines(out, ' ', old, at, hunks[i].oldBegin);
      addLines(out, '-', old, hunks[i].oldBegin, hunks[i].oldEnd);
      addLines(out, '+', fresh, hunks[i].newBegin, hunks[i].newEnd);
      at = hunks[i].oldEnd;
    }
    addLines(out, ' ', old, at, at + tail);
  }
  return out;
}

}  // namespace heddle
