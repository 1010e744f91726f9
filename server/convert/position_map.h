// PositionMap: a text with its lines, and the conversion between byte offsets and an editor's (line, column)
// positions.
//
// Lines end at LF, CRLF or CR, as LSP has it. Columns are in the negotiated encoding: UTF-8 bytes or UTF-16
// code units; this folder is the only place that knows the latter. Everything is total: positions and offsets
// beyond the text are clamped to it (a column to its line's end), a position inside a character goes to the
// character's start, and bytes that are not UTF-8 count as one column each.
//
// Threading: immutable, so any thread may read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

enum class PositionEncoding : uint8_t { Utf8, Utf16 };

struct TextPosition {
  uint32_t line = 0;       // 0-based
  uint32_t character = 0;  // 0-based, in the encoding's units
  bool operator==(const TextPosition&) const = default;
  auto operator<=>(const TextPosition&) const = default;
};

/// Byte offsets, end exclusive.
struct ByteRange {
  size_t begin = 0;
  size_t end = 0;
  bool operator==(const ByteRange&) const = default;
};

class PositionMap {
 public:
  explicit PositionMap(std::string text);

  const std::string& text() const { return text_; }
  size_t lineCount() const { return starts_.size(); }
  /// A line without its line end; empty when there is no such line.
  std::string_view line(size_t number) const;

  size_t offsetOf(TextPosition position, PositionEncoding encoding) const;
  TextPosition positionOf(size_t offset, PositionEncoding encoding) const;

  /// From the analysis' places: line and byte column, both 1-based. Line 0 (unknown) gives offset 0.
  size_t offsetOfPlace(uint32_t line, uint32_t column) const;

 private:
  size_t contentEnd(size_t line) const;
  size_t lineOf(size_t offset) const;

  std::string text_;
  std::vector<size_t> starts_;  // of each line; never empty
};

}  // namespace heddle
