// Bytes that words of C are made of.
//
// Threading: pure functions.
#pragma once

namespace heddle {

/// A letter, a digit or the underscore, of ASCII and whatever the locale.
constexpr bool isWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The same, or a part of a character outside ASCII (UTF-8): what names may hold since C99.
constexpr bool isIdentifierByte(char c) {
  return isWordCharacter(c) || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace heddle
