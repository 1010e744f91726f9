// The scanf family. From a text of the program the values are parsed out of it; from a stream they are
// inputs.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "analysis/interp/core/call.h"

namespace heddle {

namespace scan_calls {
namespace {

constexpr unsigned kLongestWord = 8;  // characters of a word that are inputs

struct Conversion {
  bool stored = true;  // no '*'
  unsigned width = 0;  // most characters; 0: no limit
  unsigned bytes = 4;  // of the object stored to
  char letter = 0;
  std::string set;  // of %[
  bool inverted = false;
};

bool isBlank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Reads one conversion; `at` stands behind the percent sign and goes past it.
Conversion parse(const std::string& format, size_t& at, unsigned longBytes) {
  Conversion out;
  if (at < format.size() && format[at] == '*') out.stored = false, ++at;
  while (at < format.size() && format[at] >= '0' && format[at] <= '9')
    out.width = out.width * 10 + static_cast<unsigned>(format[at++] - '0');
  bool isLong = false;
  for (; at < format.size() && std::strchr("hljztqLm", format[at]); ++at) {
    if (format[at] == 'h')
      out.bytes = out.bytes == 2 ? 1 : 2;
    else if (format[at] == 'l')
      out.bytes = isLong ? 8 : longBytes, isLong = true;
    else if (format[at] == 'L' || format[at] == 'q' || format[at] == 'j')
      out.bytes = 8, isLong = true;
    else
      out.bytes = longBytes;
  }
  if (at >= format.size()) return out;
  out.letter = format[at++];
  if (std::strchr("efgaEFGA", out.letter)) out.bytes = isLong ? 8 : 4;
  if (out.letter == 'p') out.bytes = longBytes;
  if (out.letter != '[') return out;
  if (at < format.size() && format[at] == '^') out.inverted = true, ++at;
  for (bool first = true; at < format.size() && (first || format[at] != ']'); first = false, ++at) {
    if (format[at] == '-' && !first && at + 1 < format.size() && format[at + 1] != ']') {
      const auto last = static_cast<unsigned char>(format[at + 1]);
      for (unsigned c = static_cast<unsigned char>(format[at - 1]); c <= last; ++c)
        out.set += static_cast<char>(c);
      continue;
    }
    out.set += format[at];
  }
  ++at;
  return out;
}

bool isInteger(char letter) {
  return std::strchr("diouxXp", letter) != nullptr;
}
bool isReal(char letter) {
  return std::strchr("efgaEFGA", letter) != nullptr;
}

/// What one conversion takes out of a text: the characters used, and the bytes to store.
struct Taken {
  size_t used = 0;
  std::vector<Value> bytes;
  bool matched = false;
};

void appendNumber(std::vector<Value>& out, uint64_t bits, unsigned count) {
  for (unsigned i = 0; i < count; ++i) out.push_back({bits >> (8 * i) & 0xff});
}

Taken take(const Conversion& conversion, const std::string& text) {
  Taken out;
  size_t start = 0;
  if (!std::strchr("c[n", conversion.letter))
    while (start < text.size() && isBlank(text[start])) ++start;
  std::string part = text.substr(start, conversion.width ? conversion.width : std::string::npos);
  if (isInteger(conversion.letter)) {
    const int base = conversion.letter == 'd' || conversion.letter == 'u' ? 10
                     : conversion.letter == 'i'                           ? 0
                     : conversion.letter == 'o'                           ? 8
                                                                          : 16;
    char* end = nullptr;
    const bool isSigned = conversion.letter == 'd' || conversion.letter == 'i';
    const uint64_t value = isSigned ? static_cast<uint64_t>(std::strtoll(part.c_str(), &end, base))
                                    : std::strtoull(part.c_str(), &end, base);
    out.used = start + static_cast<size_t>(end - part.c_str());
    out.matched = end != part.c_str();
    appendNumber(out.bytes, value, conversion.bytes);
  } else if (isReal(conversion.letter)) {
    char* end = nullptr;
    const double value = std::strtod(part.c_str(), &end);
    out.used = start + static_cast<size_t>(end - part.c_str());
    out.matched = end != part.c_str();
    uint64_t bits = 0;
    const auto narrow = static_cast<float>(value);
    if (conversion.bytes == 4)
      std::memcpy(&bits, &narrow, 4);
    else
      std::memcpy(&bits, &value, 8);
    appendNumber(out.bytes, bits, conversion.bytes);
  } else {
    const size_t wanted = conversion.letter == 'c' ? (conversion.width ? conversion.width : 1) : part.size();
    size_t length = 0;
    while (length < part.size() && length < wanted) {
      const bool inSet = conversion.set.find(part[length]) != std::string::npos;
      if (conversion.letter == 's' && isBlank(part[length])) break;
      if (conversion.letter == '[' && inSet == conversion.inverted) break;
      out.bytes.push_back({static_cast<unsigned char>(part[length++])});
    }
    out.used = start + length;
    out.matched = conversion.letter == 'c' ? length == wanted : length > 0;
    if (conversion.letter != 'c') out.bytes.push_back({0});
  }
  return out;
}

/// The bytes that a conversion from a stream stores: inputs.
std::optional<std::vector<Value>> fresh(Call& call, const Conversion& conversion) {
  ModelContext& e = call.context;
  std::vector<Value> bytes;
  if (isInteger(conversion.letter) || isReal(conversion.letter)) {
    if (isReal(conversion.letter)) {
      e.assume(e.place(call.thread), "numbers read as floating point are 0");
      bytes.resize(conversion.bytes);
      return bytes;
    }
    const bool isSigned = conversion.letter == 'd' || conversion.letter == 'i';
    bytes.push_back(e.input(call.thread, conversion.bytes * 8, isSigned, call.name));
    return bytes;
  }
  const bool isCharacter = conversion.letter == 'c';
  unsigned count = conversion.width ? conversion.width : isCharacter ? 1 : kLongestWord;
  if (count > kLongestWord || (!isCharacter && !conversion.width)) {
    count = std::min(count, kLongestWord);
    e.assume(e.place(call.thread), "words read have at most " + std::to_string(count) + " characters");
  }
  for (unsigned i = 0; i < count; ++i) bytes.push_back(call.input(8, true, 8, call.name));
  if (!isCharacter) bytes.push_back({0});
  return bytes;
}

Task<bool> put(Call& call, const Value& to, const Conversion& conversion, std::vector<Value> bytes) {
  if (bytes.size() != 1 || conversion.letter == 'c') co_return co_await call.writeBytes(to, std::move(bytes));
  Target target;
  if (!co_await call.resolve(to, conversion.bytes, true, target)) co_return false;
  co_await call.store(target, conversion.bytes, bytes.front());
  co_return true;
}

Task<> scan(Call& call) {
  ModelContext& e = call.context;
  std::string_view name = call.name;
  if (name.starts_with("__isoc")) name.remove_prefix(name.find('_', 7) + 1);
  if (name.starts_with("v")) co_return e.unsupported(call.thread, "call of '" + call.name + "'");
  const bool fromText = name == "sscanf", fromStream = name == "fscanf";
  const size_t formatIndex = fromText || fromStream ? 1 : 0;
  if (fromStream) {
    const bool isStream = co_await call.isStream(0);
    if (!isStream) co_return;
  }
  std::string text;
  if (fromText) {
    const auto read = co_await call.readText(call.argument(0));
    if (!read) co_return;
    text = *read;
  }
  const auto format = co_await call.readText(call.argument(formatIndex));
  if (!format) co_return;
  size_t next = formatIndex + 1, used = 0;
  uint64_t stored = 0;
  bool any = false;
  for (size_t at = 0; at < format->size();) {
    const char c = (*format)[at++];
    if (c != '%' || (at < format->size() && (*format)[at] == '%')) {
      if (c == '%') ++at;
      if (!fromText) continue;
      if (isBlank(c)) {
        while (used < text.size() && isBlank(text[used])) ++used;
      } else if (used < text.size() && text[used] == c) {
        ++used;
      } else {
        break;
      }
      continue;
    }
    const Conversion conversion = parse(*format, at, call.pointerBits() / 8);
    if (conversion.letter == 0 || (!isInteger(conversion.letter) && !isReal(conversion.letter) &&
                                   !std::strchr("sc[n", conversion.letter)))
      co_return e.unsupported(call.thread, "the format '" + *format + "'");
    if (conversion.letter == 'n') {
      std::vector<Value> bytes;
      appendNumber(bytes, used, conversion.bytes);
      if (!co_await call.writeBytes(call.argument(next++), std::move(bytes))) co_return;
      continue;
    }
    std::vector<Value> bytes;
    if (fromText) {
      Taken taken = take(conversion, text.substr(used));
      const bool empty = text.find_first_not_of(" \t\n\v\f\r", used) == std::string::npos;
      if (!taken.matched) {
        if (empty && !any) stored = 0xffffffff;
        break;
      }
      used += taken.used;
      bytes = std::move(taken.bytes);
    } else {
      // Each item may be the one at which the input does not match, or ends.
      if (!call.outcome(call.name + " reads an item")) {
        if (!any && call.outcome(call.name + " is at the end")) stored = 0xffffffff;
        break;
      }
      auto made = fresh(call, conversion);
      bytes = std::move(*made);
    }
    any = true;
    if (!conversion.stored) continue;
    if (!co_await put(call, call.argument(next++), conversion, std::move(bytes))) co_return;
    ++stored;
  }
  call.returns(stored);
}

constexpr ModelledCall kModels[] = {
    {"scanf", nullptr, scan},          {"fscanf", nullptr, scan},          {"sscanf", nullptr, scan},
    {"__isoc99_scanf", nullptr, scan}, {"__isoc99_fscanf", nullptr, scan}, {"__isoc99_sscanf", nullptr, scan},
    {"__isoc23_scanf", nullptr, scan}, {"__isoc23_fscanf", nullptr, scan}, {"__isoc23_sscanf", nullptr, scan},
};

}  // namespace
}  // namespace scan_calls

std::span<const ModelledCall> scanModels() {
  return scan_calls::kModels;
}

}  // namespace heddle
