#include "analysis/compile/line_markers.h"

#include <algorithm>
#include <string_view>

namespace heddle {
namespace {

bool isLineMarker(std::string_view line) {
  auto skipBlanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skipBlanks();
  if (!line.starts_with('#')) return false;
  line.remove_prefix(1);
  skipBlanks();
  if (line.starts_with("line") && line.size() > 4 && (line[4] == ' ' || line[4] == '\t')) {
    line.remove_prefix(4);
    skipBlanks();
  }
  return !line.empty() && line[0] >= '0' && line[0] <= '9';
}

}  // namespace

std::string withoutLineMarkers(std::string text) {
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    if (isLineMarker(std::string_view(text).substr(begin, end - begin)))
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin),
                text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    begin = end + 1;
  }
  return text;
}

}  // namespace heddle
