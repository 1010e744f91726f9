// TextEdits: changes of several texts by byte offsets, collected in any order and applied at once; and the
// reverse: the edits between two texts.
//
// Threading: plain data and pure functions.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report.h"

namespace heddle {

/// Replaces the bytes [begin, end) of a file by `text`.
struct ByteEdit {
  size_t begin = 0, end = 0;
  std::string text;
};

class TextEdits {
 public:
  /// Insertions at one offset keep the order of these calls.
  void insert(const std::string& file, size_t at, std::string text) {
    replace(file, at, at, std::move(text));
  }
  void replace(const std::string& file, size_t begin, size_t end, std::string text);

  bool empty() const { return files_.empty(); }
  /// The edits by file, in order of offsets; edits of one place are joined. If edits overlap, the later one
  /// is dropped and `conflict` is set.
  std::map<std::string, std::vector<ByteEdit>> sorted(bool& conflict) const;

 private:
  std::map<std::string, std::vector<ByteEdit>> files_;
};

/// The text after `edits`, which must be sorted and must not overlap.
std::string applied(std::string_view text, const std::vector<ByteEdit>& edits);

/// One hunk of a line difference: the old lines [oldBegin, oldEnd) became the new lines [newBegin, newEnd),
/// counted from 0.
struct LineHunk {
  size_t oldBegin = 0, oldEnd = 0, newBegin = 0, newEnd = 0;
  bool operator==(const LineHunk&) const = default;
};

/// A text's lines with their line ends.
std::vector<std::string_view> linesOf(std::string_view text);

/// A shortest line difference (Wu, Manber, Myers, Miller: An O(NP) sequence comparison algorithm; by the
/// library dtl).
std::vector<LineHunk> lineDifference(std::string_view before, std::string_view after);

/// The same difference as edits of whole lines, in the form of a report.
std::vector<TextEditAt> editsBetween(const std::string& file, std::string_view before,
                                     std::string_view after);

/// The text of `file` after a report's edits of it, which must not overlap.
std::string applied(std::string_view text, const std::string& file, const std::vector<TextEditAt>& edits);

}  // namespace heddle
