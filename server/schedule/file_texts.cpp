#include "server/schedule/file_texts.h"

#include "server/schedule/text_of_file.h"

namespace heddle {

void TextReader::add(const std::string& path, FileTexts& found) {
  if (path.empty() || path == snapshot_.path) return;
  auto [known, isNew] = known_.try_emplace(path);
  if (isNew) known->second = read(path);
  if (known->second) found[path] = known->second;
}

std::shared_ptr<const PositionMap> TextReader::read(const std::string& path) const {
  if (const auto overlay = snapshot_.overlays.find(path); overlay != snapshot_.overlays.end())
    return std::make_shared<const PositionMap>(overlay->second);
  const auto text = textOfFile(path);
  return text ? std::make_shared<const PositionMap>(*text) : nullptr;
}

}  // namespace heddle
