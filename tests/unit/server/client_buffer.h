// ClientBuffer: an editor's buffer as a slow, obvious model, to hold the server's documents against.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "server/convert/text_change.h"

namespace heddle::testing {

/// The client: a sequence of code points with their sizes, searched from the start for every position.
class ClientBuffer {
 public:
  std::vector<char32_t> points;

  static std::string encode(char32_t c) {
    if (c < 0x80) return {static_cast<char>(c)};
    if (c < 0x800) return {static_cast<char>(0xC0 | (c >> 6)), static_cast<char>(0x80 | (c & 63))};
    if (c < 0x10000)
      return {static_cast<char>(0xE0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 63)),
              static_cast<char>(0x80 | (c & 63))};
    return {static_cast<char>(0xF0 | (c >> 18)), static_cast<char>(0x80 | ((c >> 12) & 63)),
            static_cast<char>(0x80 | ((c >> 6) & 63)), static_cast<char>(0x80 | (c & 63))};
  }

  std::string text() const {
    std::string out;
    for (char32_t c : points) out += encode(c);
    return out;
  }

  static uint32_t units(char32_t c, PositionEncoding encoding) {
    if (encoding == PositionEncoding::Utf8) return static_cast<uint32_t>(encode(c).size());
    return c >= 0x10000 ? 2 : 1;
  }

  /// Index of the code point at `position`, clamped.
  size_t index(TextPosition position, PositionEncoding encoding) const {
    size_t i = 0;
    for (uint32_t line = 0; line < position.line; line++) {
      while (i < points.size() && points[i] != '\n' && points[i] != '\r') i++;
      if (i == points.size()) return i;
      i += points[i] == '\r' && i + 1 < points.size() && points[i + 1] == '\n' ? 2 : 1;
    }
    uint32_t column = 0;
    while (i < points.size() && points[i] != '\n' && points[i] != '\r') {
      if (column + units(points[i], encoding) > position.character) break;
      column += units(points[i++], encoding);
    }
    return i;
  }

  void apply(const TextChange& change, const std::vector<char32_t>& inserted, PositionEncoding encoding) {
    if (!change.range) {
      points = inserted;
      return;
    }
    size_t begin = index(change.range->first, encoding);
    size_t end = index(change.range->second, encoding);
    if (end < begin) std::swap(begin, end);
    points.erase(points.begin() + static_cast<ptrdiff_t>(begin),
                 points.begin() + static_cast<ptrdiff_t>(end));
    points.insert(points.begin() + static_cast<ptrdiff_t>(begin), inserted.begin(), inserted.end());
  }
};

inline std::vector<char32_t> randomPoints(std::mt19937& random, size_t most) {
  static constexpr char32_t kAlphabet[] = {'a',  'x',       ' ',       '\t',          '\n', '\n',
                                           '\r', U'\u00e9', U'\u20ac', U'\U0001F600', ';',  '{'};
  std::vector<char32_t> points(std::uniform_int_distribution<size_t>(0, most)(random));
  for (char32_t& c : points) {
    c = kAlphabet[std::uniform_int_distribution<size_t>(0, std::size(kAlphabet) - 1)(random)];
  }
  return points;
}

}  // namespace heddle::testing
