#include "server/convert/text_change.h"

#include <algorithm>

namespace heddle {
namespace {

/// A whole-text change keeps what both texts begin and end with, so that ranges survive a client that only
/// sends full texts.
AppliedChange narrow(const std::string& before, const std::string& after) {
  const size_t common = std::min(before.size(), after.size());
  const size_t head = static_cast<size_t>(
      std::mismatch(before.begin(), before.begin() + static_cast<ptrdiff_t>(common), after.begin()).first -
      before.begin());
  size_t tail = 0;
  while (tail < common - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) tail++;
  return {{head, before.size() - tail}, after.size() - tail - head};
}

}  // namespace

ChangedText applyChange(const PositionMap& before, const TextChange& change, PositionEncoding encoding) {
  if (!change.range) return {change.text, narrow(before.text(), change.text)};
  size_t begin = before.offsetOf(change.range->first, encoding);
  size_t end = before.offsetOf(change.range->second, encoding);
  if (end < begin) std::swap(begin, end);
  ChangedText result{before.text(), {{begin, end}, change.text.size()}};
  result.text.replace(begin, end - begin, change.text);
  return result;
}

std::optional<ByteRange> shiftRange(ByteRange range, const AppliedChange& change) {
  const auto [begin, end] = change.old;
  if (end <= range.begin) {
    return ByteRange{range.begin - (end - begin) + change.newLength,
                     range.end - (end - begin) + change.newLength};
  }
  if (begin >= range.end) return range;
  if (begin <= range.begin && end >= range.end) return std::nullopt;
  // Overlap: what is left of the range, with the new text when it stands inside.
  if (begin > range.begin && end < range.end)
    return ByteRange{range.begin, range.end - (end - begin) + change.newLength};
  if (begin > range.begin) return ByteRange{range.begin, begin};
  return ByteRange{begin + change.newLength, range.end - (end - begin) + change.newLength};
}

}  // namespace heddle
