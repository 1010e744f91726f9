// OwnTexts: the texts of a program that are the user's: its files, and headers that they include in quotes.
//
// Threading: plain data; ownTexts() reads headers from disk, except overlays.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/pipeline/pipeline.h"
#include "server/source/c_tokens.h"

namespace heddle {

struct OwnText {
  std::string path;  // absolute
  std::string text;
  CText lexed;

  std::string_view word(size_t token) const {
    const ByteRange range = lexed.tokens[token].range;
    return std::string_view(text).substr(range.begin, range.end - range.begin);
  }
  bool is(size_t token, std::string_view spelling) const {
    return token < lexed.tokens.size() && word(token) == spelling;
  }
  bool isWord(size_t token) const {
    return token < lexed.tokens.size() && lexed.tokens[token].kind == CTokenKind::Word;
  }
};

/// The main file first, then the others in the order in which they are met; each once.
std::vector<OwnText> ownTexts(const Snapshot& snapshot);

}  // namespace heddle
