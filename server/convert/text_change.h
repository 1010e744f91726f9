// Incremental edits of a document, and how byte ranges of the old text move into the new one.
//
// Threading: pure functions.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "server/convert/position_map.h"

namespace heddle {

/// One content change of an editor; no range: the whole text.
struct TextChange {
  std::optional<std::pair<TextPosition, TextPosition>> range;
  std::string text;
};

/// What a change did, in bytes: `old` of the text before was replaced by `newLength` bytes.
struct AppliedChange {
  ByteRange old;
  size_t newLength = 0;
};

struct ChangedText {
  std::string text;
  AppliedChange change;
};

/// Ranges are clamped to the text and reversed ones turned round, as editors do.
ChangedText applyChange(const PositionMap& before, const TextChange& change, PositionEncoding encoding);

/// Where `range` is after the change; nothing when the change replaced all of it.
std::optional<ByteRange> shiftRange(ByteRange range, const AppliedChange& change);

}  // namespace heddle
