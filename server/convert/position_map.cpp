#include "server/convert/position_map.h"

#include <algorithm>

namespace heddle {
namespace {

bool isContinuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// Bytes of the character at `text[0]`; 1 for a byte that begins no valid sequence.
size_t characterLength(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0xC2 || lead > 0xF4) return 1;
  const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < length) return 1;
  for (size_t i = 1; i < length; i++)
    if (!isContinuation(text[i])) return 1;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool tooLarge = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || tooLarge ? 1 : length;
}

uint32_t unitsOf(size_t bytes, PositionEncoding encoding) {
  if (encoding == PositionEncoding::Utf8) return static_cast<uint32_t>(bytes);
  return bytes == 4 ? 2 : 1;
}

}  // namespace

PositionMap::PositionMap(std::string text) : text_(std::move(text)) {
  starts_.push_back(0);
  if (text_.find('\r') == std::string::npos) {  // nearly every text; the C library's search is fast
    for (size_t i = text_.find('\n'); i != std::string::npos; i = text_.find('\n', i)) starts_.push_back(++i);
    return;
  }
  for (size_t i = text_.find_first_of("\r\n"); i != std::string::npos; i = text_.find_first_of("\r\n", i)) {
    i += text_[i] == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n' ? 2 : 1;
    starts_.push_back(i);
  }
}

size_t PositionMap::contentEnd(size_t line) const {
  if (line + 1 >= starts_.size()) return text_.size();
  size_t end = starts_[line + 1] - 1;
  if (text_[end] == '\n' && end > starts_[line] && text_[end - 1] == '\r') end--;
  return end;
}

size_t PositionMap::lineOf(size_t offset) const {
  return static_cast<size_t>(std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin()) - 1;
}

std::string_view PositionMap::line(size_t number) const {
  if (number >= starts_.size()) return {};
  return std::string_view(text_).substr(starts_[number], contentEnd(number) - starts_[number]);
}

size_t PositionMap::offsetOf(TextPosition position, PositionEncoding encoding) const {
  if (position.line >= starts_.size()) return text_.size();
  const std::string_view content = line(position.line);
  size_t at = 0;
  uint32_t column = 0;
  while (at < content.size()) {
    const size_t bytes = characterLength(content.substr(at));
    const uint32_t units = unitsOf(bytes, encoding);
    if (units > position.character - column) break;  // the position is here or inside this character
    column += units;
    at += bytes;
  }
  return starts_[position.line] + at;
}

TextPosition PositionMap::positionOf(size_t offset, PositionEncoding encoding) const {
  offset = std::min(offset, text_.size());
  const size_t number = lineOf(offset);
  const std::string_view content = line(number);
  const size_t target = std::min(offset - starts_[number], content.size());
  TextPosition result{static_cast<uint32_t>(number), 0};
  for (size_t at = 0; at < target;) {
    const size_t bytes = characterLength(content.substr(at));
    if (at + bytes > target) break;
    result.character += unitsOf(bytes, encoding);
    at += bytes;
  }
  return result;
}

size_t PositionMap::offsetOfPlace(uint32_t line, uint32_t column) const {
  if (line == 0) return 0;
  if (line > starts_.size()) return text_.size();
  const size_t start = starts_[line - 1];
  return std::min(start + (column == 0 ? 0 : column - 1), contentEnd(line - 1));
}

}  // namespace heddle
