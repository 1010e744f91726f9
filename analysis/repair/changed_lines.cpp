#include "analysis/repair/changed_lines.h"

#include "analysis/compile/guarded_files.h"
#include "clang/Format/Format.h"

namespace heddle {
namespace {

using clang::tooling::Range;
using clang::tooling::Replacement;

/// The lines of `after` that are not those of `before`, without the line end of the last one.
std::vector<Range> newLines(std::string_view before, std::string_view after) {
  std::vector<unsigned> starts;
  for (const std::string_view line : linesOf(after))
    starts.push_back(static_cast<unsigned>(line.data() - after.data()));
  starts.push_back(static_cast<unsigned>(after.size()));
  std::vector<Range> ranges;
  for (const LineHunk& hunk : lineDifference(before, after)) {
    if (hunk.newBegin == hunk.newEnd) continue;
    unsigned end = starts[hunk.newEnd];
    while (end > starts[hunk.newBegin] && (after[end - 1] == '\n' || after[end - 1] == '\r')) --end;
    ranges.emplace_back(starts[hunk.newBegin], end - starts[hunk.newBegin]);
  }
  return ranges;
}

/// What of a change of white space lies in the lines of `range`: the formatter's reach from the end of the
/// line before to the first word of the next.
std::optional<Replacement> within(const Range& range, const Replacement& change, const std::string& path) {
  const unsigned begin = range.getOffset(), end = begin + range.getLength();
  const unsigned from = change.getOffset(), to = from + change.getLength();
  if (from >= begin && to <= end) return change;
  if (from >= begin || to < begin || to > end) return std::nullopt;
  const llvm::StringRef text = change.getReplacementText();
  const size_t line = text.rfind('\n');
  if (line == llvm::StringRef::npos) return std::nullopt;
  return Replacement(path, begin, to - begin, text.substr(line + 1));
}

}  // namespace

std::string formattedChange(const Snapshot& snapshot, const std::string& path, const std::string& text,
                            const std::vector<ByteEdit>& edits) {
  const std::string changed = applied(text, edits);
  const auto files = guardedFiles(snapshot.overlays, snapshot.command.directory);
  auto style = clang::format::getStyle("file", path, "none", changed, files.get());
  if (!style) {  // a damaged .clang-format is no reason to refuse a repair
    llvm::consumeError(style.takeError());
    return changed;
  }
  if (style->DisableFormat) return changed;
  style->SortIncludes = {};
  const std::vector<Range> ranges = newLines(text, changed);
  clang::tooling::Replacements wanted;
  for (const Replacement& change : clang::format::reformat(*style, changed, ranges, path))
    for (const Range& range : ranges)
      if (const auto part = within(range, change, path)) {
        if (llvm::Error error = wanted.add(*part)) llvm::consumeError(std::move(error));
        break;
      }
  auto result = clang::tooling::applyAllReplacements(changed, wanted);
  if (!result) {
    llvm::consumeError(result.takeError());
    return changed;
  }
  return *result;
}

}  // namespace heddle
