// Integers of 65 to 128 bits as two values of up to 64.
#include <algorithm>

#include "analysis/interp/values/value_ops.h"

namespace heddle {

namespace {

__extension__ typedef unsigned __int128 Wide;
__extension__ typedef __int128 SignedWide;

Wide joined(const WideValue& v) {
  return static_cast<Wide>(v.high.bits) << 64 | v.low.bits;
}

Wide masked(Wide value, unsigned width) {
  return width >= 128 ? value : value & ((static_cast<Wide>(1) << width) - 1);
}

SignedWide asSigned(Wide value, unsigned width) {
  const unsigned shift = 128 - width;
  return static_cast<SignedWide>(value << shift) >> shift;
}

WideValue split(Wide value, unsigned width) {
  value = masked(value, width);
  return {{static_cast<uint64_t>(value)}, {static_cast<uint64_t>(value >> 64)}};
}

Wide divided(Opcode op, Wide a, Wide b, unsigned width) {
  if (b == 0) return 0;  // the interpreter has failed before
  switch (op) {
    case Opcode::UDiv:
      return a / b;
    case Opcode::URem:
      return a % b;
    default:
      break;
  }
  const SignedWide x = asSigned(a, width), y = asSigned(b, width);
  if (y == -1) return op == Opcode::SDiv ? static_cast<Wide>(0) - a : 0;  // the least number wraps
  return static_cast<Wide>(op == Opcode::SDiv ? x / y : x % y);
}

WideValue computed(Opcode op, const WideValue& left, const WideValue& right, unsigned width) {
  const Wide a = joined(left), b = joined(right);
  const auto distance = static_cast<unsigned>(right.low.bits);
  const bool tooFar = right.low.bits >= width || right.high.bits != 0;
  switch (op) {
    case Opcode::Add:
      return split(a + b, width);
    case Opcode::Sub:
      return split(a - b, width);
    case Opcode::Mul:
      return split(a * b, width);
    case Opcode::UDiv:
    case Opcode::SDiv:
    case Opcode::URem:
    case Opcode::SRem:
      return split(divided(op, a, b, width), width);
    case Opcode::Shl:
      return split(tooFar ? 0 : a << distance, width);
    case Opcode::LShr:
      return split(tooFar ? 0 : a >> distance, width);
    case Opcode::AShr: {
      const SignedWide value = asSigned(a, width);
      return split(static_cast<Wide>(tooFar ? (value < 0 ? -1 : 0) : value >> distance), width);
    }
    case Opcode::Eq:
      return {{a == b}, {}};
    case Opcode::Ne:
      return {{a != b}, {}};
    case Opcode::Ult:
      return {{a < b}, {}};
    case Opcode::Ule:
      return {{a <= b}, {}};
    case Opcode::Slt:
      return {{asSigned(a, width) < asSigned(b, width)}, {}};
    case Opcode::Sle:
      return {{asSigned(a, width) <= asSigned(b, width)}, {}};
    default:
      return {};  // And, Or and Xor work on each half alone
  }
}

Value compared(TermTable& terms, Opcode op, const WideValue& a, const WideValue& b, unsigned highWidth) {
  const Value equalHigh = binaryValue(terms, TermOp::Eq, a.high, b.high, highWidth);
  if (op == Opcode::Eq || op == Opcode::Ne) {
    const Value equal =
        binaryValue(terms, TermOp::And, equalHigh, binaryValue(terms, TermOp::Eq, a.low, b.low, 64), 1);
    return op == Opcode::Eq ? equal : logicalNot(terms, equal);
  }
  const bool isSigned = op == Opcode::Slt || op == Opcode::Sle;
  const bool orEqual = op == Opcode::Ule || op == Opcode::Sle;
  const Value high = binaryValue(terms, isSigned ? TermOp::Slt : TermOp::Ult, a.high, b.high, highWidth);
  const Value low = binaryValue(terms, orEqual ? TermOp::Ule : TermOp::Ult, a.low, b.low, 64);
  return selected(terms, equalHigh, low, high, 1);
}

WideValue shifted(TermTable& terms, Opcode op, const WideValue& a, unsigned distance, unsigned highWidth) {
  // The value as one row of bits: low from bit 0, high from bit 64. Bits of the result are cut out of it.
  const Value sign = extracted(terms, a.high, highWidth - 1, 1, highWidth);
  const Value fill = op == Opcode::AShr ? sign : Value{0};
  const unsigned width = 64 + highWidth;
  const auto cut = [&](unsigned first, unsigned count) {
    Value result;
    unsigned have = 0;
    while (have < count) {
      const unsigned to = first + have;
      Value part = fill;
      unsigned take = 1;
      const bool left = op == Opcode::Shl;
      const bool inside = left ? to >= distance : to + distance < width;
      if (inside) {
        const unsigned at = left ? to - distance : to + distance;
        const unsigned end = at < 64 ? 64 : width;
        take = std::min(count - have, end - at);
        part = at < 64 ? extracted(terms, a.low, at, take, 64)
                       : extracted(terms, a.high, at - 64, take, highWidth);
      }
      result = have == 0 ? part : concatenated(terms, part, take, result, have);
      have += take;
    }
    return result;
  };
  return {cut(0, 64), cut(64, highWidth)};
}

}  // namespace

WideValue wideValue(TermTable& terms, Opcode op, const WideValue& a, const WideValue& b, unsigned width,
                    bool& dropped) {
  const unsigned highWidth = width - 64;
  if ((a.low.term | a.high.term | b.low.term | b.high.term) == kNoTerm) return computed(op, a, b, width);
  switch (op) {
    case Opcode::Add: {
      const Value low = binaryValue(terms, TermOp::Add, a.low, b.low, 64);
      const Value carry = zeroExtended(terms, binaryValue(terms, TermOp::Ult, low, a.low, 64), 1, highWidth);
      const Value high = binaryValue(terms, TermOp::Add, a.high, b.high, highWidth);
      return {low, binaryValue(terms, TermOp::Add, high, carry, highWidth)};
    }
    case Opcode::Sub: {
      const Value low = binaryValue(terms, TermOp::Sub, a.low, b.low, 64);
      const Value borrow =
          zeroExtended(terms, binaryValue(terms, TermOp::Ult, a.low, b.low, 64), 1, highWidth);
      const Value high = binaryValue(terms, TermOp::Sub, a.high, b.high, highWidth);
      return {low, binaryValue(terms, TermOp::Sub, high, borrow, highWidth)};
    }
    case Opcode::Shl:
    case Opcode::LShr:
    case Opcode::AShr:
      if ((b.low.term | b.high.term) == kNoTerm && b.high.bits == 0 && b.low.bits < width)
        return shifted(terms, op, a, static_cast<unsigned>(b.low.bits), highWidth);
      break;
    case Opcode::Eq:
    case Opcode::Ne:
    case Opcode::Ult:
    case Opcode::Ule:
    case Opcode::Slt:
    case Opcode::Sle:
      return {compared(terms, op, a, b, highWidth), {}};
    default:
      break;
  }
  dropped = true;
  return computed(op, {{a.low.bits}, {a.high.bits}}, {{b.low.bits}, {b.high.bits}}, width);
}

}  // namespace heddle
