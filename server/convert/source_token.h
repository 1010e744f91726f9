// The C token at a place: findings name a point, editors underline a range.
//
// Threading: pure function.
#pragma once

#include <string_view>

#include "server/convert/position_map.h"

namespace heddle {

/// An operator that writes ("=", "+=", "++") comes with the operand left of it. At a line's end it is the
/// line's last token, and in white space the next token of the line. Empty only if the text is empty.
ByteRange tokenAt(std::string_view text, size_t offset);

}  // namespace heddle
