#include "analysis/support/name_words.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace heddle {

std::vector<std::string> nameWords(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  bool wasLower = false;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) == 0 || (std::isupper(letter) != 0 && wasLower)) end();
    if (std::isalnum(letter) != 0) word += static_cast<char>(std::tolower(letter));
    wasLower = std::islower(letter) != 0;
  }
  end();
  return words;
}

bool hasWord(std::string_view name, std::span<const std::string_view> wanted) {
  std::string word;
  const auto isWanted = [&] { return std::find(wanted.begin(), wanted.end(), word) != wanted.end(); };
  bool wasLower = false;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (c == '_' || (std::isupper(letter) != 0 && wasLower)) {
      if (isWanted()) return true;
      word.clear();
    }
    if (c != '_') word += static_cast<char>(std::tolower(letter));
    wasLower = std::islower(letter) != 0;
  }
  return isWanted();
}

}  // namespace heddle
