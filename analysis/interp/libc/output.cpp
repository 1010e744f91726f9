// Output: the printf family and puts, kept in RunResult::output and printed nowhere.
#include <cstdio>
#include <cstring>

#include "analysis/interp/core/call.h"

namespace heddle {

namespace output_calls {
namespace {

/// Where the values of a format come from: the call's own arguments, or a va_list.
class Arguments {
 public:
  bool symbolic = false;  // some value taken depends on a symbol
  Arguments(Call& call, size_t next) : call_(call), next_(next) {}
  static Arguments fromList(Call& call, const Value& list) {
    Arguments arguments(call, 0);
    arguments.list_ = list;
    arguments.isList_ = true;
    return arguments;
  }
  /// Of a long double: the low part, with `high` set.
  Task<std::optional<uint64_t>> takeLong(uint64_t& high) {
    if (!isList_) {
      const uint64_t low = direct(next_++);
      high = direct(next_++);
      co_return low;
    }
    const bool wide = call_.pointerBits() == 64;
    if (wide && !co_await align()) co_return std::nullopt;
    const auto low = co_await take(8);
    if (!low) co_return std::nullopt;
    const auto rest = co_await take(wide ? 8 : 4);
    if (!rest) co_return std::nullopt;
    high = *rest & 0xffff;
    co_return *low;
  }

  /// A width or a precision: how much is read depends on it.
  Task<std::optional<uint64_t>> takeSize() {
    isSize_ = true;
    const auto size = co_await take(4);
    isSize_ = false;
    co_return size;
  }

  Task<std::optional<uint64_t>> take(unsigned bytes) {
    if (!isList_) co_return direct(next_++);
    // All variable arguments lie in the overflow area (see llvm.va_start), one after the other.
    const bool wide = call_.pointerBits() == 64;
    Target list;
    if (!co_await call_.resolve(wide ? Value{list_.bits + 8} : list_, wide ? 8 : 4, false, list))
      co_return std::nullopt;
    const Value at = co_await call_.load(list, wide ? 8 : 4);
    Target from;
    const unsigned size = wide ? 8u : bytes;
    if (!co_await call_.resolve({at.bits}, size, false, from)) co_return std::nullopt;
    const Value value = co_await call_.load(from, size);
    note(value);
    Target back;
    if (!co_await call_.resolve(wide ? Value{list_.bits + 8} : list_, wide ? 8 : 4, true, back))
      co_return std::nullopt;
    co_await call_.store(back, wide ? 8 : 4, {at.bits + size});
    co_return value.bits;
  }

 private:
  uint64_t direct(size_t index) {
    const Value value = call_.argument(index);
    note(value);
    return value.bits;
  }
  void note(const Value& value) {
    if (isSize_)
      call_.context.choose(call_.thread, value);
    else
      symbolic |= value.term != kNoTerm;
  }
  /// The next argument of a list starts at a multiple of 16.
  Task<bool> align() {
    Target list;
    if (!co_await call_.resolve({list_.bits + 8}, 8, true, list)) co_return false;
    const Value at = co_await call_.load(list, 8);
    co_await call_.store(list, 8, {(at.bits + 15) / 16 * 16});
    co_return true;
  }

  Call& call_;
  size_t next_;
  Value list_;
  bool isList_ = false;
  bool isSize_ = false;
};

/// One conversion of a format.
struct Conversion {
  std::string flags;    // "-0", without the width
  long width = -1;      // in characters; -1: none
  long precision = -1;  // -1: none
  unsigned bytes = 4;   // of an integer argument
  bool isWide = false;  // of characters: 'l' stands before the letter
  char letter = 0;

  /// Its text for the host's own printf, `length` before the letter.
  std::string text(const char* length, char as) const {
    std::string out = "%" + flags;
    if (width >= 0) out += std::to_string(width);
    if (precision >= 0) out += "." + std::to_string(precision);
    return out + length + as;
  }
};

std::string formatInteger(const Conversion& conversion, uint64_t bits) {
  char buffer[512];
  const bool isSigned = conversion.letter == 'd' || conversion.letter == 'i';
  const unsigned width = conversion.bytes * 8;
  const std::string text = conversion.text("ll", conversion.letter);
  if (isSigned)
    std::snprintf(buffer, sizeof buffer, text.c_str(), static_cast<long long>(signExtend(bits, width)));
  else
    std::snprintf(buffer, sizeof buffer, text.c_str(),
                  static_cast<unsigned long long>(bits & widthMask(width)));
  return buffer;
}

std::string formatReal(const Conversion& conversion, uint64_t bits) {
  char buffer[1024];  // 309 digits before the point, at most 400 after it
  double value = 0;
  std::memcpy(&value, &bits, 8);
  std::snprintf(buffer, sizeof buffer, conversion.text("", conversion.letter).c_str(), value);
  return buffer;
}

std::string formatLong(const Conversion& conversion, const LongBits& bits) {
  std::vector<char> buffer(6000);
  std::snprintf(buffer.data(), buffer.size(), conversion.text("L", conversion.letter).c_str(),
                longValue(bits));
  return buffer.data();
}

/// A text that is as long as it may be already.
std::string padded(const Conversion& conversion, std::string text) {
  const size_t width = conversion.width < 0 ? 0 : static_cast<size_t>(conversion.width);
  if (text.size() >= width) return text;
  const bool isLeft = conversion.flags.find('-') != std::string::npos;
  text.insert(isLeft ? text.size() : 0, width - text.size(), ' ');
  return text;
}

std::string encoded(uint64_t character) {
  const auto byte = [](uint64_t bits) { return static_cast<char>(bits); };
  const auto tail = [&](unsigned shift) { return byte(0x80 | (character >> shift & 0x3f)); };
  if (character < 0x80) return {byte(character)};
  if (character < 0x800) return {byte(0xc0 | character >> 6), tail(0)};
  if (character < 0x10000) return {byte(0xe0 | character >> 12), tail(6), tail(0)};
  return {byte(0xf0 | (character >> 18 & 7)), tail(12), tail(6), tail(0)};
}

/// Of wide characters, as many as fit into `limit` bytes; none is read beyond.
Task<std::optional<std::string>> readWideText(Call& call, uint64_t address, uint64_t limit) {
  constexpr unsigned kSize = 4;  // of wchar_t
  std::string text;
  while (text.size() < limit) {
    Target at;
    if (!co_await call.resolve({address}, kSize, false, at)) co_return std::nullopt;
    const Value character = call.context.used(call.thread, co_await call.load(at, kSize));
    if (character.term) call.context.takeFromThisExecution(call.context.place(call.thread), "text");
    const std::string bytes = encoded(character.bits);
    if (character.bits == 0 || text.size() + bytes.size() > limit) break;
    text += bytes;
    address += kSize;
  }
  co_return text;
}

/// Flags, width and precision, from `i` on. False: return at once.
Task<bool> parseSize(Call& call, const std::string& pattern, size_t& i, Arguments& arguments,
                     Conversion& conversion) {
  constexpr long kMost = 1 << 20;
  bool inPrecision = false;
  for (; i < pattern.size() && std::strchr("-+ #0123456789.*'", pattern[i]); ++i) {
    long& size = inPrecision ? conversion.precision : conversion.width;
    const char c = pattern[i];
    if (c == '*') {
      const auto value = co_await arguments.takeSize();
      if (!value) co_return false;
      size = static_cast<long>(signExtend(*value, 32));
      // A negative precision counts as none, a negative width as a flag.
      if (size < 0 && !inPrecision) {
        conversion.flags += '-';
        size = -size;
      }
    } else if (c == '.') {
      inPrecision = true;
      conversion.precision = 0;
    } else if (c >= '0' && c <= '9' && (inPrecision || size >= 0 || c != '0')) {
      size = std::min(std::max(size, 0l) * 10 + (c - '0'), kMost + 1);
    } else {
      conversion.flags += c;
    }
  }
  const bool isText =
      i < pattern.size() && std::strchr("sSl", pattern[i]);  // where a precision is only a limit
  const long most = 400;
  if (conversion.width <= most && (conversion.precision <= most || isText)) co_return true;
  call.context.unsupported(call.thread, "a format with a width above 400");
  co_return false;
}

Task<std::optional<std::string>> format(Call& call, const std::string& pattern, Arguments& arguments) {
  std::string out;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      out += pattern[i];
      continue;
    }
    if (++i < pattern.size() && pattern[i] == '%') {
      out += '%';
      continue;
    }
    Conversion conversion;
    if (!co_await parseSize(call, pattern, i, arguments, conversion)) co_return std::nullopt;
    const unsigned longBytes = call.pointerBits() / 8;
    bool wideReal = false;
    for (; i < pattern.size() && std::strchr("hljztqL", pattern[i]); ++i) {
      switch (pattern[i]) {
        case 'h':
          conversion.bytes = conversion.bytes == 2 ? 1 : 2;
          break;
        case 'l':
          conversion.isWide = true;
          conversion.bytes = conversion.bytes == longBytes && pattern[i - 1] == 'l' ? 8 : longBytes;
          break;
        case 'j':
        case 'q':
          conversion.bytes = 8;
          break;
        case 'L':
          wideReal = true;
          break;
        default:
          conversion.bytes = longBytes;
          break;
      }
    }
    if (i >= pattern.size()) break;
    conversion.letter = pattern[i];
    switch (conversion.letter) {
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o': {
        const auto value = co_await arguments.take(std::max(conversion.bytes, 4u));
        if (!value) co_return std::nullopt;
        out += formatInteger(conversion, *value);
        break;
      }
      case 'C':
      case 'c': {
        const auto value = co_await arguments.take(4);
        if (!value) co_return std::nullopt;
        const bool isWide = conversion.isWide || conversion.letter == 'C';
        out += padded(conversion, isWide ? encoded(*value) : std::string(1, static_cast<char>(*value)));
        break;
      }
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A': {
        if (wideReal) {
          uint64_t high = 0;
          const auto low = co_await arguments.takeLong(high);
          if (!low) co_return std::nullopt;
          out += formatLong(conversion, {*low, high});
          break;
        }
        const auto value = co_await arguments.take(8);
        if (!value) co_return std::nullopt;
        out += formatReal(conversion, *value);
        break;
      }
      case 'p': {
        const auto value = co_await arguments.take(call.pointerBits() / 8);
        if (!value) co_return std::nullopt;
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(*value));
        out += *value ? padded(conversion, buffer) : padded(conversion, "(nil)");
        break;
      }
      case 'S':
      case 's': {
        const auto value = co_await arguments.take(call.pointerBits() / 8);
        if (!value) co_return std::nullopt;
        if (*value == 0) {
          out += padded(conversion, "(null)");
          break;
        }
        const uint64_t most = conversion.precision >= 0 ? static_cast<uint64_t>(conversion.precision) : ~0ull;
        const bool isWide = conversion.isWide || conversion.letter == 'S';
        std::optional<std::string> text;
        if (isWide)
          text = co_await readWideText(call, *value, most);
        else
          text = co_await call.readText({*value}, most);
        if (!text) co_return std::nullopt;
        out += padded(conversion, *text);
        break;
      }
      case 'm':
        out += padded(conversion, "error");
        break;
      case 'n': {
        const auto value = co_await arguments.take(call.pointerBits() / 8);
        if (!value) co_return std::nullopt;
        Target to;
        if (!co_await call.resolve({*value}, conversion.bytes, true, to)) co_return std::nullopt;
        co_await call.store(to, conversion.bytes, {out.size() & widthMask(conversion.bytes * 8)});
        break;
      }
      default:
        call.context.unsupported(call.thread, std::string("the format '%") + conversion.letter + "'");
        co_return std::nullopt;
    }
  }
  co_return out;
}

/// The FILE* of stderr is only known by the variable it was read from; what it is given is kept apart from
/// the output.
bool isStandardOutput(uint64_t stream) {
  return stream == streamHandle("stdout");
}

Task<> print(Call& call) {
  const std::string& name = call.name;
  const bool isList = name.starts_with("v");
  const std::string_view plain = isList ? std::string_view(name).substr(1) : std::string_view(name);
  const bool toBuffer = plain == "sprintf" || plain == "snprintf";
  const bool toStream = plain == "fprintf" || plain == "dprintf";
  const size_t formatIndex = plain == "snprintf" ? 2 : toBuffer || toStream ? 1 : 0;
  if (plain == "fprintf") {
    const bool isStream = co_await call.isStream(0);
    if (!isStream) co_return;
  }
  const auto pattern = co_await call.readText(call.argument(formatIndex));
  if (!pattern) co_return;
  Arguments arguments =
      isList ? Arguments::fromList(call, call.argument(formatIndex + 1)) : Arguments(call, formatIndex + 1);
  const auto text = co_await format(call, *pattern, arguments);
  if (!text) co_return;
  if (arguments.symbolic && (toBuffer || call.resultWidth))
    call.context.takeFromThisExecution(call.context.place(call.thread), "the text of a value");
  if (toBuffer) {
    std::vector<Value> bytes;
    const uint64_t room = plain == "snprintf" ? call.number(1) : ~0ull;
    for (const char c : *text)
      if (bytes.size() + 1 < room) bytes.push_back({static_cast<unsigned char>(c)});
    if (room > 0) bytes.push_back({0});
    if (!co_await call.writeBytes(call.argument(0), std::move(bytes))) co_return;
  } else if (!toStream || (plain == "dprintf" ? call.number(0) == 1 : isStandardOutput(call.number(0)))) {
    call.context.print(*text);
  }
  call.returns(text->size());
}

Task<> putText(Call& call) {
  if (call.name == "perror" && call.number(0) == 0) co_return;  // the error alone
  if (call.name == "fputs") {
    const bool isStream = co_await call.isStream(1);
    if (!isStream) co_return;
  }
  const auto text = co_await call.readText(call.argument(0));
  if (!text) co_return;
  if (call.name == "puts")
    call.context.print(*text + '\n');
  else if (call.name == "fputs" && isStandardOutput(call.number(1)))
    call.context.print(*text);
  call.returns(1);
}

Task<> putCharacter(Call& call) {
  if (call.name != "putchar") {
    const bool isStream = co_await call.isStream(1);
    if (!isStream) co_return;
  }
  const Value c = call.argument(0);
  if (call.name == "putchar" || isStandardOutput(call.number(1)))
    call.context.print(std::string(1, static_cast<char>(c.bits)));
  call.result = {c.bits & 0xff};
}

void nothing(Call& call) {
  call.returns(0);
}

constexpr ModelledCall kModels[] = {
    {"printf", nullptr, print},         {"fprintf", nullptr, print},      {"sprintf", nullptr, print},
    {"snprintf", nullptr, print},       {"dprintf", nullptr, print},      {"vprintf", nullptr, print},
    {"vfprintf", nullptr, print},       {"vsprintf", nullptr, print},     {"vsnprintf", nullptr, print},
    {"puts", nullptr, putText},         {"fputs", nullptr, putText},      {"perror", nullptr, putText},
    {"putchar", nullptr, putCharacter}, {"fputc", nullptr, putCharacter}, {"putc", nullptr, putCharacter},
    {"fflush", nothing, nullptr},       {"setvbuf", nothing, nullptr},    {"setlinebuf", nothing, nullptr},
    {"setbuffer", nothing, nullptr},    {"setbuf", nothing, nullptr},
};

}  // namespace
}  // namespace output_calls

std::span<const ModelledCall> outputModels() {
  return output_calls::kModels;
}

}  // namespace heddle
