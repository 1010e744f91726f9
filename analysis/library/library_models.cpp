#include "analysis/library/library_models.h"

#include <algorithm>
#include <cctype>

#include "analysis/library/library_texts.h"

namespace heddle {
namespace {

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

std::vector<std::string_view> namesDefinedIn(std::string_view text) {
  std::vector<std::string_view> names;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.empty() || !isWord(line.front()) || line.starts_with("static ")) continue;
    size_t open = line.find('(');
    if (line.ends_with(';')) open = std::min(line.find(" ="), line.find('['));
    const size_t value = line.find(" =");
    const bool isVariable = line.ends_with(';') && value < line.find('(') && value < line.find('{');
    const bool isDefinition = line.ends_with('{') || isVariable;
    if (!isDefinition || open == std::string_view::npos) continue;
    size_t first = open;
    while (first > 0 && isWord(line[first - 1])) --first;
    if (first < open) names.push_back(line.substr(first, open - first));
  }
  return names;
}

std::span<const LibraryModel> libraryModels() {
  static const std::vector<LibraryModel> models = [] {
    std::vector<LibraryModel> made;
    for (const auto& [name, text] : kLibraryTexts)
      made.push_back({name, text, namesDefinedIn(text), name == "signals.c"});
    return made;
  }();
  return models;
}

}  // namespace heddle
