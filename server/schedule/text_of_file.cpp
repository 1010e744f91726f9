#include "server/schedule/text_of_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace heddle {

std::optional<std::string> textOfFile(const std::string& path) {
  constexpr uintmax_t kLargestText = 8U << 20;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > kLargestText) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  std::ostringstream text;
  // Writing an empty buffer sets the failure bit of `text`, which says nothing of the file.
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (stream.bad()) return std::nullopt;
  return text.str();
}

}  // namespace heddle
