// NameWords: the words of an identifier, by which conventions know what a function is for.
//
// Threading: pure functions.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Whether one of the words of "thpool_add_work" or "poolAddWork" is among `wanted`, which must be in lower
/// case. Words end at '_' and in front of a capital: clocks and blocks are no locks.
bool hasWord(std::string_view name, std::span<const std::string_view> wanted);
inline bool hasWord(std::string_view name, std::initializer_list<std::string_view> wanted) {
  return hasWord(name, std::span(wanted.begin(), wanted.size()));
}

/// "thpool", "add", "work": in lower case. What is no letter and no digit ends a word, too.
std::vector<std::string> nameWords(std::string_view name);

}  // namespace heddle
