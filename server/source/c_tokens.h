// C text as tokens and comments: what the server needs to know of a text before it is compiled, or when it
// does not compile. Not a preprocessor: macros stay unexpanded, every branch of an #if is there.
//
// Total: any bytes give tokens; an unclosed comment or literal ends with the text (or its line).
//
// Threading: pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "server/convert/position_map.h"

namespace heddle {

enum class CTokenKind : uint8_t {
  Word,  // identifier or keyword
  Number,
  Literal,         // string or character
  Punctuation,     // one character each
  DirectiveBegin,  // the '#' that begins a directive
  DirectiveEnd,    // its end of line, empty
};

struct CToken {
  CTokenKind kind;
  ByteRange range;
  bool spaceBefore = false;  // white space or a comment stands before it
};

struct CText {
  std::vector<CToken> tokens;
  std::vector<ByteRange> comments;  // with their delimiters, without the line end
};

CText lexC(std::string_view text);

/// Whether an edit from one text to the other left the program as it was: the same tokens, only comments and
/// white space differ. Comments that speak to Heddle count as program, and so does the layout of a text that
/// asks for its own line numbers (__LINE__).
bool sameProgram(std::string_view before, std::string_view after);

/// The same for texts that are lexed already.
bool sameProgram(std::string_view before, const CText& beforeLexed, std::string_view after,
                 const CText& afterLexed);

/// `text` without the white space at both ends; as a view into it.
std::string_view trimmed(std::string_view text);

/// The text of a comment that begins with "heddle:", without that; empty for all others.
std::string_view heddleComment(std::string_view comment);

}  // namespace heddle
