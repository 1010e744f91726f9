// TextWords: the words of a text, one after the other.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <utility>

#include "analysis/support/word.h"

namespace heddle {

/// Calls `take` with each word, the one before it and what follows it but blanks.
template <typename Take>
void forEachWord(const std::string& text, Take take) {
  std::string last;
  for (size_t i = 0; i < text.size();) {
    if (!isWordCharacter(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && isWordCharacter(text[end])) ++end;
    std::string word = text.substr(i, end - i);
    while (end < text.size() && (text[end] == ' ' || text[end] == '\t')) ++end;
    take(word, last, end < text.size() ? text[end] : '\0');
    last = std::move(word);
    i = end;
  }
}

}  // namespace heddle
