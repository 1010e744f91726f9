#include "analysis/repair/text_edits.h"

#include <algorithm>
#include <dtl/dtl.hpp>

namespace heddle {
namespace {

size_t offsetOf(const std::vector<std::string_view>& lines, std::string_view text, uint32_t line,
                uint32_t column) {
  if (line == 0 || line > lines.size()) return text.size();
  const std::string_view found = lines[line - 1];
  return static_cast<size_t>(found.data() - text.data()) + std::min<size_t>(column - 1, found.size());
}

}  // namespace

void TextEdits::replace(const std::string& file, size_t begin, size_t end, std::string text) {
  files_[file].push_back({begin, end, std::move(text)});
}

std::map<std::string, std::vector<ByteEdit>> TextEdits::sorted(bool& conflict) const {
  std::map<std::string, std::vector<ByteEdit>> result;
  for (const auto& [file, edits] : files_) {
    std::vector<ByteEdit> ordered = edits;
    // What is inserted before a place that is replaced comes before the replacement.
    std::stable_sort(ordered.begin(), ordered.end(), [](const ByteEdit& a, const ByteEdit& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    });
    std::vector<ByteEdit>& joined = result[file];
    for (ByteEdit& edit : ordered) {
      if (!joined.empty() && edit.begin < joined.back().end) {
        conflict = true;
        continue;
      }
      if (!joined.empty() && edit.begin == joined.back().end && edit.begin == joined.back().begin) {
        joined.back().end = edit.end;
        joined.back().text += edit.text;
      } else {
        joined.push_back(std::move(edit));
      }
    }
  }
  return result;
}

std::string applied(std::string_view text, const std::vector<ByteEdit>& edits) {
  std::string out;
  size_t at = 0;
  for (const ByteEdit& edit : edits) {
    out += text.substr(at, edit.begin - at);
    out += edit.text;
    at = edit.end;
  }
  return out += text.substr(at);
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const size_t length = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

std::vector<LineHunk> lineDifference(std::string_view before, std::string_view after) {
  dtl::Diff<std::string_view, std::vector<std::string_view>> difference(linesOf(before), linesOf(after));
  difference.compose();
  std::vector<LineHunk> hunks;
  size_t old = 0, fresh = 0;
  bool isOpen = false;
  for (const auto& [line, change] : difference.getSes().getSequence()) {
    const bool isCommon = change.type == dtl::SES_COMMON;
    if (!isCommon && !isOpen) hunks.push_back({old, old, fresh, fresh});
    isOpen = !isCommon;
    old += change.type != dtl::SES_ADD;
    fresh += change.type != dtl::SES_DELETE;
    if (isOpen) hunks.back().oldEnd = old, hunks.back().newEnd = fresh;
  }
  return hunks;
}

std::vector<TextEditAt> editsBetween(const std::string& file, std::string_view before,
                                     std::string_view after) {
  const std::vector<std::string_view> old = linesOf(before), fresh = linesOf(after);
  std::vector<TextEditAt> edits;
  for (const LineHunk& hunk : lineDifference(before, after)) {
    TextEditAt edit;
    edit.file = file;
    edit.startLine = static_cast<uint32_t>(hunk.oldBegin + 1);
    edit.endLine = static_cast<uint32_t>(hunk.oldEnd + 1);
    edit.startColumn = edit.endColumn = 1;
    // A last line without a line end has no line after it to end at.
    const auto endOfText = [&](uint32_t& line, uint32_t& column) {
      if (line <= old.size() || old.empty() || old.back().ends_with('\n')) return;
      line = static_cast<uint32_t>(old.size());
      column = static_cast<uint32_t>(old.back().size() + 1);
    };
    if (hunk.oldBegin == old.size()) endOfText(edit.startLine, edit.startColumn);
    endOfText(edit.endLine, edit.endColumn);
    for (size_t line = hunk.newBegin; line < hunk.newEnd; ++line) edit.newText += fresh[line];
    edits.push_back(std::move(edit));
  }
  return edits;
}

std::string applied(std::string_view text, const std::string& file, const std::vector<TextEditAt>& edits) {
  const std::vector<std::string_view> lines = linesOf(text);
  TextEdits bytes;
  for (const TextEditAt& edit : edits)
    if (edit.file == file)
      bytes.replace(file, offsetOf(lines, text, edit.startLine, edit.startColumn),
                    offsetOf(lines, text, edit.endLine, edit.endColumn), edit.newText);
  bool conflict = false;
  const auto sorted = bytes.sorted(conflict);
  return sorted.empty() ? std::string(text) : applied(text, sorted.begin()->second);
}

}  // namespace heddle
