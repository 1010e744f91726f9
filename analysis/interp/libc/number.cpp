// Numbers out of text, and integer arithmetic of stdlib.h.
//
// Text that depends on a symbol is taken as it is in this execution (Call::readText notes the assumption).
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/main_arguments.h"

namespace heddle {

namespace number_calls {
namespace {

/// Stores how far a conversion got, if the program asked.
Task<bool> storeEnd(Call& call, size_t argument, const Value& text, Value used) {
  const Value where = call.argument(argument);
  call.context.choose(call.thread, where);
  if (where.bits == 0) co_return true;
  const unsigned size = call.pointerBits() / 8;
  Target to;
  if (!co_await call.resolve(where, size, true, to)) co_return false;
  const Value end = binaryValue(call.context.terms, TermOp::Add, text, used, static_cast<unsigned>(size * 8));
  co_await call.store(to, size, end);
  co_return true;
}

/// A text that is an input: all bytes that it may have.
struct AnyText {
  std::vector<Value> bytes;
};

/// The text at an address, when it is one of main's arguments and those are inputs; nothing else. What is
/// loaded does not depend on its characters.
Task<std::optional<AnyText>> readAnyText(Call& call, Value address) {
  Target at;
  const bool isResolved = co_await call.resolve(address, 1, false, at);
  if (!isResolved) co_return std::nullopt;
  const ObjectName& name = call.context.names.info(at.object->id).name;
  if (!isAnyArgument(call.context.program, name)) co_return std::nullopt;
  AnyText text;
  for (; at.offset < at.object->live; ++at.offset)
    text.bytes.push_back(call.context.settled(call.thread, co_await call.load(at, 1)));
  co_return text;
}

struct AnyNumber {
  Value value;
  Value used;  // characters, of the width of an address
};

/// What strtol makes of it with base 10, as terms: white space, a sign, digits.
AnyNumber decimalOf(TermTable& terms, const AnyText& text, unsigned width, unsigned pointer) {
  const auto both = [&](const Value& a, const Value& b) { return binaryValue(terms, TermOp::And, a, b, 1); };
  const auto either = [&](const Value& a, const Value& b) { return binaryValue(terms, TermOp::Or, a, b, 1); };
  const auto is = [&](const Value& byte, char c) {
    return binaryValue(terms, TermOp::Eq, byte, {static_cast<unsigned char>(c)}, 8);
  };
  const auto isAmong = [&](const Value& byte, char first, uint64_t count) {
    const Value offset = binaryValue(terms, TermOp::Sub, byte, {static_cast<unsigned char>(first)}, 8);
    return binaryValue(terms, TermOp::Ult, offset, {count}, 8);
  };
  AnyNumber number;
  Value goesOn{1}, hasBegun{0}, isNegative{0};
  for (size_t i = 0; i < text.bytes.size(); ++i) {
    const Value& byte = text.bytes[i];
    const Value before = both(goesOn, logicalNot(terms, hasBegun));
    const Value space = both(before, either(is(byte, ' '), isAmong(byte, '\t', 5)));
    const Value sign = both(before, either(is(byte, '-'), is(byte, '+')));
    const Value digit = both(goesOn, isAmong(byte, '0', 10));
    const Value tens = binaryValue(terms, TermOp::Mul, number.value, {10}, width);
    const Value ones = zeroExtended(
        terms, binaryValue(terms, TermOp::Sub, byte, {static_cast<unsigned char>('0')}, 8), 8, width);
    number.value =
        selected(terms, digit, binaryValue(terms, TermOp::Add, tens, ones, width), number.value, width);
    number.used = selected(terms, digit, {i + 1}, number.used, pointer);
    isNegative = either(isNegative, both(sign, is(byte, '-')));
    hasBegun = either(hasBegun, either(sign, digit));
    goesOn = either(space, either(sign, digit));
  }
  const Value negated = binaryValue(terms, TermOp::Sub, {0}, number.value, width);
  number.value = selected(terms, isNegative, negated, number.value, width);
  return number;
}

/// strtol and its relatives: a signed or unsigned number of the width of long or long long.
Task<> integer(Call& call) {
  const std::string_view name = call.name;
  const bool isSigned = name.find("strtou") == std::string_view::npos;
  const bool isLongLong =
      name.find("ll") != std::string_view::npos || name.find("max") != std::string_view::npos;
  const unsigned width = isLongLong ? 64 : call.pointerBits();
  const Value start = call.argument(0);
  const auto base = static_cast<int>(signExtend(call.number(2), 32));
  if (base == 10) {
    const std::optional<AnyText> any = co_await readAnyText(call, start);
    if (call.thread.next.isGiven || call.context.ended) co_return;
    if (any) {
      const AnyNumber number = decimalOf(call.context.terms, *any, width, call.pointerBits());
      const bool isStored = co_await storeEnd(call, 1, start, number.used);
      if (isStored) call.result = number.value;
      co_return;
    }
  }
  const auto text = co_await call.readText(start);
  if (!text) co_return;
  if (base != 0 && (base < 2 || base > 36)) {
    call.setErrno(EINVAL);
    call.returns(0);
    co_return;
  }
  char* end = nullptr;
  errno = 0;
  uint64_t value = 0;
  bool outOfRange = false;
  if (isSigned) {
    const long long parsed = std::strtoll(text->c_str(), &end, base);
    const auto limit = static_cast<long long>(widthMask(width - 1));
    outOfRange = errno == ERANGE || parsed > limit || parsed < -limit - 1;
    value = static_cast<uint64_t>(parsed > limit ? limit : parsed < -limit - 1 ? -limit - 1 : parsed);
  } else {
    value = std::strtoull(text->c_str(), &end, base);
    const bool negative = text->find('-') < static_cast<size_t>(end - text->c_str());
    const uint64_t magnitude = negative ? 0 - value : value;
    outOfRange = errno == ERANGE || magnitude > widthMask(width);
    if (outOfRange) value = widthMask(width);
  }
  if (outOfRange) call.setErrno(ERANGE);
  const Value used{static_cast<uint64_t>(end - text->c_str())};
  if (!co_await storeEnd(call, 1, start, used)) co_return;
  call.returns(value & widthMask(width));
}

/// atoi and its relatives.
Task<> decimal(Call& call) {
  const bool isInt = call.name == "atoi";
  const Value start = call.argument(0);
  const std::optional<AnyText> any = co_await readAnyText(call, start);
  if (call.thread.next.isGiven || call.context.ended) co_return;
  if (any) {
    const unsigned width = isInt ? 32 : call.resultWidth ? call.resultWidth : 64;
    call.result = decimalOf(call.context.terms, *any, width, call.pointerBits()).value;
    co_return;
  }
  const auto text = co_await call.readText(start);
  if (!text) co_return;
  const auto value = static_cast<uint64_t>(std::strtoll(text->c_str(), nullptr, 10));
  call.returns(isInt ? value & widthMask(32) : value);
}

Task<> real(Call& call) {
  const Value start = call.argument(0);
  const auto text = co_await call.readText(start);
  if (!text) co_return;
  char* end = nullptr;
  errno = 0;
  if (call.name == "strtold") {
    const LongBits bits = longBits(std::strtold(text->c_str(), &end));
    call.result = {bits.low};
    call.resultHigh = {bits.high};
  } else if (call.name == "strtof") {
    const float value = std::strtof(text->c_str(), &end);
    uint64_t bits = 0;
    std::memcpy(&bits, &value, 4);
    call.result = {bits};
  } else {
    const double value = std::strtod(text->c_str(), &end);
    uint64_t bits = 0;
    std::memcpy(&bits, &value, 8);
    call.result = {bits};
  }
  if (errno == ERANGE) call.setErrno(ERANGE);
  if (call.name == "atof") co_return;
  const Value used{static_cast<uint64_t>(end - text->c_str())};
  co_await storeEnd(call, 1, start, used);
}

void absolute(Call& call) {
  const unsigned width = call.resultWidth ? call.resultWidth : 64;
  Value overflow;
  call.result = integerValue(call.context.terms, IntegerOp::Abs, call.argument(0), {}, {}, width, overflow);
}

/// div, ldiv, lldiv: quotient and remainder, in one register or in two.
void divide(Call& call) {
  ModelContext& e = call.context;
  const unsigned width = e.program.arguments[call.pool].width;
  const Value a = call.argument(0), b = call.argument(1);
  if (!e.branch(call.thread, notEqual(e.terms, b, {0}, width), BranchRole::Check, 0))
    return e.fail(call.thread, FailureKind::Memory, "division by zero");
  const Value quotient = binaryValue(e.terms, TermOp::SDiv, a, b, width);
  const Value remainder = binaryValue(e.terms, TermOp::SRem, a, b, width);
  if (call.resultWidth == 2 * width) {
    call.result = concatenated(e.terms, remainder, width, quotient, width);
    return;
  }
  call.result = quotient;
  call.resultHigh = remainder;
}

/// 1 + the number of the lowest bit that is set.
void firstSet(Call& call) {
  ModelContext& e = call.context;
  const unsigned width = e.program.arguments[call.pool].width;
  const Value value = call.argument(0);
  Value overflow;
  Value position = integerValue(e.terms, IntegerOp::TrailingZeros, value, {}, {}, width, overflow);
  position = binaryValue(e.terms, TermOp::Add, position, {1}, width);
  position = selected(e.terms, binaryValue(e.terms, TermOp::Eq, value, {0}, width), {0}, position, width);
  call.returns(width > 32 ? truncated(e.terms, position, 32) : position, 32);
}

/// htonl and its relatives: little-endian targets.
void networkOrder(Call& call) {
  const unsigned width = call.name.ends_with('s') ? 16 : 32;
  Value overflow;
  const unsigned given = call.context.program.arguments[call.pool].width;
  Value value = call.argument(0);
  if (given > width) value = truncated(call.context.terms, value, width);
  call.returns(integerValue(call.context.terms, IntegerOp::ByteSwap, value, {}, {}, width, overflow), width);
}

constexpr ModelledCall kModels[] = {
    {"strtol", nullptr, integer},
    {"strtoll", nullptr, integer},
    {"strtoul", nullptr, integer},
    {"strtoull", nullptr, integer},
    {"strtoimax", nullptr, integer},
    {"strtoumax", nullptr, integer},
    {"__isoc23_strtol", nullptr, integer},
    {"__isoc23_strtoll", nullptr, integer},
    {"__isoc23_strtoul", nullptr, integer},
    {"__isoc23_strtoull", nullptr, integer},
    {"atoi", nullptr, decimal},
    {"atol", nullptr, decimal},
    {"atoll", nullptr, decimal},
    {"atof", nullptr, real},
    {"strtod", nullptr, real},
    {"strtof", nullptr, real},
    {"strtold", nullptr, real},
    {"abs", absolute, nullptr},
    {"labs", absolute, nullptr},
    {"llabs", absolute, nullptr},
    {"imaxabs", absolute, nullptr},
    {"div", divide, nullptr},
    {"ldiv", divide, nullptr},
    {"lldiv", divide, nullptr},
    {"ffs", firstSet, nullptr},
    {"ffsl", firstSet, nullptr},
    {"ffsll", firstSet, nullptr},
    {"htons", networkOrder, nullptr},
    {"htonl", networkOrder, nullptr},
    {"ntohs", networkOrder, nullptr},
    {"ntohl", networkOrder, nullptr},
};

}  // namespace
}  // namespace number_calls

std::span<const ModelledCall> numberModels() {
  return number_calls::kModels;
}

}  // namespace heddle
