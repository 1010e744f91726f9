// Output: the printf family and puts, kept in RunResult::output and printed nowhere.
#include <cstdio>
#include <cstring>

#include "analysis/interp/execution.h"

namespace heddle {

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
    symbolic |= value.term != kNoTerm;
    Target back;
    if (!co_await call_.resolve(wide ? Value{list_.bits + 8} : list_, wide ? 8 : 4, true, back))
      co_return std::nullopt;
    co_await call_.store(back, wide ? 8 : 4, {at.bits + size});
    co_return value.bits;
  }

 private:
  uint64_t direct(size_t index) {
    const Value value = call_.argument(index);
    symbolic |= value.term != kNoTerm;
    return value.bits;
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
};

/// One conversion, with the length modifier taken out of its text.
struct Conversion {
  std::string flags;   // "%-08.3"
  unsigned bytes = 4;  // of an integer argument
  char letter = 0;
};

std::string formatInteger(const Conversion& conversion, uint64_t bits) {
  char buffer[512];
  const bool isSigned = conversion.letter == 'd' || conversion.letter == 'i';
  const unsigned width = conversion.bytes * 8;
  const std::string text = conversion.flags + "ll" + conversion.letter;
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
  std::snprintf(buffer, sizeof buffer, (conversion.flags + conversion.letter).c_str(), value);
  return buffer;
}

std::string formatLong(const Conversion& conversion, const LongBits& bits) {
  std::vector<char> buffer(6000);
  std::snprintf(buffer.data(), buffer.size(), (conversion.flags + 'L' + conversion.letter).c_str(),
                longValue(bits));
  return buffer.data();
}

std::string padded(const Conversion& conversion, const std::string& text) {
  std::string buffer(text.size() + 512, 0);
  const int length =
      std::snprintf(buffer.data(), buffer.size(), (conversion.flags + 's').c_str(), text.c_str());
  buffer.resize(length < 0 ? 0 : std::min<size_t>(static_cast<size_t>(length), buffer.size() - 1));
  return buffer;
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
    conversion.flags = "%";
    long precision = -1, number = 0;
    bool inPrecision = false;
    for (; i < pattern.size() && std::strchr("-+ #0123456789.*'", pattern[i]); ++i) {
      if (pattern[i] == '*') {
        const auto value = co_await arguments.take(4);
        if (!value) co_return std::nullopt;
        const long given = static_cast<long>(signExtend(*value, 32)) % 400;
        if (inPrecision) precision = given;
        conversion.flags += std::to_string(given);
        continue;
      }
      if (pattern[i] == '.')
        inPrecision = true, precision = 0, number = 0;
      else if (pattern[i] >= '0' && pattern[i] <= '9') {
        number = number * 10 + (pattern[i] - '0');
        if (inPrecision) precision = number;
        if (number > 400) {
          call.execution.unsupported(call.thread, "a format with a width above 400");
          co_return std::nullopt;
        }
      }
      conversion.flags += pattern[i];
    }
    const unsigned longBytes = call.pointerBits() / 8;
    bool wideReal = false;
    for (; i < pattern.size() && std::strchr("hljztqL", pattern[i]); ++i) {
      switch (pattern[i]) {
        case 'h':
          conversion.bytes = conversion.bytes == 2 ? 1 : 2;
          break;
        case 'l':
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
      case 'c': {
        const auto value = co_await arguments.take(4);
        if (!value) co_return std::nullopt;
        if (*value & 0xff)
          out += padded(conversion, std::string(1, static_cast<char>(*value)));
        else
          out += '\0';
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
      case 's': {
        const auto value = co_await arguments.take(call.pointerBits() / 8);
        if (!value) co_return std::nullopt;
        if (*value == 0) {
          out += padded(conversion, "(null)");
          break;
        }
        const auto text =
            co_await call.readText({*value}, precision >= 0 ? static_cast<uint64_t>(precision) : ~0ull);
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
        call.execution.unsupported(call.thread, std::string("the format '%") + conversion.letter + "'");
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
  const auto pattern = co_await call.readText(call.argument(formatIndex));
  if (!pattern) co_return;
  Arguments arguments =
      isList ? Arguments::fromList(call, call.argument(formatIndex + 1)) : Arguments(call, formatIndex + 1);
  const auto text = co_await format(call, *pattern, arguments);
  if (!text) co_return;
  if (arguments.symbolic && (toBuffer || call.resultWidth))
    call.execution.assume(call.execution.place(call.thread),
                          "the text of a value taken to be what it was in one execution");
  if (toBuffer) {
    std::vector<Value> bytes;
    const uint64_t room = plain == "snprintf" ? call.number(1) : ~0ull;
    for (const char c : *text)
      if (bytes.size() + 1 < room) bytes.push_back({static_cast<unsigned char>(c)});
    if (room > 0) bytes.push_back({0});
    if (!co_await call.writeBytes(call.argument(0), std::move(bytes))) co_return;
  } else if (!toStream || (plain == "dprintf" ? call.number(0) == 1 : isStandardOutput(call.number(0)))) {
    call.execution.print(*text);
  }
  call.returns(text->size());
}

Task<> putText(Call& call) {
  const auto text = co_await call.readText(call.argument(0));
  if (!text) co_return;
  if (call.name == "puts")
    call.execution.print(*text + '\n');
  else if (call.name == "fputs" && isStandardOutput(call.number(1)))
    call.execution.print(*text);
  call.returns(1);
}

void putCharacter(Call& call) {
  const Value c = call.argument(0);
  if (call.name == "putchar" || isStandardOutput(call.number(1)))
    call.execution.print(std::string(1, static_cast<char>(c.bits)));
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
    {"putchar", putCharacter, nullptr}, {"fputc", putCharacter, nullptr}, {"putc", putCharacter, nullptr},
    {"fflush", nothing, nullptr},       {"setvbuf", nothing, nullptr},    {"setlinebuf", nothing, nullptr},
    {"setbuffer", nothing, nullptr},    {"setbuf", nothing, nullptr},
};

}  // namespace

std::span<const ModelledCall> outputModels() {
  return kModels;
}

}  // namespace heddle
