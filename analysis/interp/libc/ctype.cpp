// ctype.h in the "C" locale: the functions, and the tables that glibc's macros read.
#include <array>

#include "analysis/interp/core/call.h"

namespace heddle {

namespace ctype_calls {
namespace {

bool isUpper(int c) {
  return c >= 'A' && c <= 'Z';
}
bool isLower(int c) {
  return c >= 'a' && c <= 'z';
}
bool isAlpha(int c) {
  return isUpper(c) || isLower(c);
}
bool isDigit(int c) {
  return c >= '0' && c <= '9';
}
bool isHex(int c) {
  return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool isSpace(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
bool isPrint(int c) {
  return c >= ' ' && c <= '~';
}
bool isGraph(int c) {
  return c > ' ' && c <= '~';
}
bool isBlank(int c) {
  return c == ' ' || c == '\t';
}
bool isControl(int c) {
  return (c >= 0 && c < ' ') || c == 127;
}
bool isAlnum(int c) {
  return isAlpha(c) || isDigit(c);
}
bool isPunct(int c) {
  return isGraph(c) && !isAlnum(c);
}
bool isAscii(int c) {
  return c >= 0 && c < 128;
}

struct CharacterClass {
  const char* name;
  bool (*contains)(int);
  unsigned bit;  // in glibc's table, on a little-endian target
};

constexpr CharacterClass kClasses[] = {
    {"isupper", isUpper, 0x100},  {"islower", isLower, 0x200},  {"isalpha", isAlpha, 0x400},
    {"isdigit", isDigit, 0x800},  {"isxdigit", isHex, 0x1000},  {"isspace", isSpace, 0x2000},
    {"isprint", isPrint, 0x4000}, {"isgraph", isGraph, 0x8000}, {"isblank", isBlank, 0x1},
    {"iscntrl", isControl, 0x2},  {"ispunct", isPunct, 0x4},    {"isalnum", isAlnum, 0x8},
    {"isascii", isAscii, 0},
};

/// Whether `c` lies in one of the ranges of the class, as a value of one bit.
Value member(TermTable& terms, const CharacterClass& characters, const Value& c) {
  Value any{0};
  for (int first = 0; first < 256; ++first) {
    if (!characters.contains(first)) continue;
    int last = first;
    while (last < 255 && characters.contains(last + 1)) ++last;
    const Value low = binaryValue(terms, TermOp::Sub, c, {static_cast<uint64_t>(first)}, 32);
    const Value inside = binaryValue(terms, TermOp::Ule, low, {static_cast<uint64_t>(last - first)}, 32);
    any = binaryValue(terms, TermOp::Or, any, inside, 1);
    first = last;
  }
  return any;
}

void classify(Call& call) {
  std::string name = call.name;
  if (name.starts_with("isw")) name.erase(2, 1);
  for (const CharacterClass& characters : kClasses)
    if (name == characters.name)
      return call.returns(member(call.context.terms, characters, call.argument(0)), 1);
}

void convert(Call& call) {
  TermTable& terms = call.context.terms;
  const Value c = call.argument(0);
  const bool up = call.name.ends_with("upper");
  const CharacterClass& from = kClasses[up ? 1 : 0];
  const Value changed = binaryValue(terms, up ? TermOp::Sub : TermOp::Add, c, {32}, 32);
  call.returns(selected(terms, member(terms, from, c), changed, c, 32), 32);
}

void toAscii(Call& call) {
  call.returns(binaryValue(call.context.terms, TermOp::And, call.argument(0), {0x7f}, 32), 32);
}

/// A table over -128 … 255 and a pointer to its entry 0, as glibc has them. Never written, so not shared.
void table(Call& call) {
  ModelContext& e = call.context;
  const bool isClass = call.name == "__ctype_b_loc", up = call.name == "__ctype_toupper_loc";
  const unsigned width = isClass ? 2 : 4;
  const uint32_t site = isClass ? 4 : up ? 5 : 6;
  MemoryObject* entries = e.memory.create({ObjectKind::Library, kNone, site, 0, 384u * width});
  const unsigned pointer = call.pointerBits() / 8;
  MemoryObject* start = e.memory.create({ObjectKind::Library, kNone, site, 1, pointer});
  if (!entries || !start || !e.memory.touch(*entries) || !e.memory.touch(*start))
    return e.unsupported(call.thread, "the address space is used up");
  if (!start->readOnly) {
    for (int c = -128; c < 256; ++c) {
      uint64_t value = 0;
      if (isClass) {
        for (const CharacterClass& characters : kClasses)
          if (c >= 0 && c < 128 && characters.contains(c)) value |= characters.bit;
      } else {
        const int changed = up && isLower(c) ? c - 32 : !up && isUpper(c) ? c + 32 : c;
        value = static_cast<uint32_t>(changed);
      }
      e.memory.write(*entries, static_cast<uint64_t>(c + 128) * width, width, {value});
    }
    e.memory.write(*start, 0, pointer, {entries->base + 128u * width});
    entries->readOnly = start->readOnly = true;
  }
  call.returns(start->base);
}

constexpr ModelledCall kModels[] = {
    {"isupper", classify, nullptr},          {"islower", classify, nullptr},
    {"isalpha", classify, nullptr},          {"isdigit", classify, nullptr},
    {"isxdigit", classify, nullptr},         {"isspace", classify, nullptr},
    {"isprint", classify, nullptr},          {"isgraph", classify, nullptr},
    {"isblank", classify, nullptr},          {"iscntrl", classify, nullptr},
    {"ispunct", classify, nullptr},          {"isalnum", classify, nullptr},
    {"isascii", classify, nullptr},          {"iswxdigit", classify, nullptr},
    {"iswdigit", classify, nullptr},         {"iswspace", classify, nullptr},
    {"iswalpha", classify, nullptr},         {"toupper", convert, nullptr},
    {"tolower", convert, nullptr},           {"toascii", toAscii, nullptr},
    {"__ctype_b_loc", table, nullptr},       {"__ctype_toupper_loc", table, nullptr},
    {"__ctype_tolower_loc", table, nullptr},
};

}  // namespace
}  // namespace ctype_calls

std::span<const ModelledCall> characterModels() {
  return ctype_calls::kModels;
}

}  // namespace heddle
