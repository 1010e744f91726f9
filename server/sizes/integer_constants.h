// IntegerConstants: where a C text gives names to integer literals.
//
// Threading: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/sizes/own_texts.h"

namespace heddle {

struct IntegerConstant {
  std::string name;
  ByteRange nameRange;
  ByteRange literal;  // the value's, with its suffix
  int64_t value = 0;
};

/// `#define NAME 16`, `enum { NAME = 16 }`, `static const int NAME = 16;`, in the order of the text.
std::vector<IntegerConstant> integerConstants(const OwnText& own);

/// The value of a literal such as `16`, `0x10u`, `040L`; nothing for any other text.
std::optional<int64_t> integerLiteral(std::string_view text);

}  // namespace heddle
