#include "server/schedule/load_snapshot.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle {
namespace {

constexpr uintmax_t kLargestText = 8U << 20;

std::string textOf(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) ||
      std::filesystem::file_size(path, error) > kLargestText || error)
    return "";
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  return text.str();
}

}  // namespace

void loadSnapshot(Snapshot& snapshot, bool textFromDisk, const Engine& engine, std::string* problem) {
  if (textFromDisk) {
    const auto open = snapshot.overlays.find(snapshot.path);
    snapshot.text = open != snapshot.overlays.end() ? open->second : textOf(snapshot.path);
  }
  snapshot.command = engine.findCommand(snapshot.path, problem);
  for (Unit& unit : snapshot.units) {
    if (!snapshot.overlays.contains(unit.path)) unit.text = textOf(unit.path);
    unit.command = engine.findCommand(unit.path, nullptr);
  }
}

}  // namespace heddle
