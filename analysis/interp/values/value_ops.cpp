#include "analysis/interp/values/value_ops.h"

#include <bit>

namespace heddle {

Value binaryValue(TermTable& terms, TermOp op, const Value& a, const Value& b, unsigned width) {
  const uint64_t bits = evalBinary(op, a.bits, b.bits, width);
  if ((a.term | b.term) == kNoTerm) return {bits};
  return valueOf(terms, bits, terms.binary(op, termOf(terms, a, width), termOf(terms, b, width)));
}

Value notEqual(TermTable& terms, const Value& a, const Value& b, unsigned width) {
  return logicalNot(terms, binaryValue(terms, TermOp::Eq, a, b, width));
}

Value logicalNot(TermTable& terms, const Value& a) {
  if (!a.term) return {a.bits ^ 1};
  return valueOf(terms, a.bits ^ 1, terms.logicalNot(a.term));
}

Value zeroExtended(TermTable& terms, const Value& a, unsigned from, unsigned to) {
  if (!a.term || from == to) return a;
  return valueOf(terms, a.bits, terms.zext(a.term, to));
}

Value signExtended(TermTable& terms, const Value& a, unsigned from, unsigned to) {
  const uint64_t bits = static_cast<uint64_t>(signExtend(a.bits, from)) & widthMask(to);
  if (!a.term || from == to) return {bits, a.term};
  return valueOf(terms, bits, terms.sext(a.term, to));
}

Value truncated(TermTable& terms, const Value& a, unsigned to) {
  const uint64_t bits = a.bits & widthMask(to);
  if (!a.term || terms.width(a.term) == to) return {bits, a.term};
  return valueOf(terms, bits, terms.extract(a.term, 0, to));
}

Value extracted(TermTable& terms, const Value& a, unsigned low, unsigned width, unsigned from) {
  const uint64_t bits = (a.bits >> low) & widthMask(width);
  if (!a.term || (low == 0 && width == from)) return {bits, a.term};
  return valueOf(terms, bits, terms.extract(a.term, low, width));
}

Value concatenated(TermTable& terms, const Value& high, unsigned highWidth, const Value& low,
                   unsigned lowWidth) {
  const uint64_t bits = high.bits << lowWidth | low.bits;
  if ((high.term | low.term) == kNoTerm) return {bits};
  return valueOf(terms, bits, terms.concat(termOf(terms, high, highWidth), termOf(terms, low, lowWidth)));
}

Value selected(TermTable& terms, const Value& condition, const Value& a, const Value& b, unsigned width) {
  const Value& chosen = condition.bits & 1 ? a : b;
  if (!condition.term) return chosen;
  return valueOf(terms, chosen.bits,
                 terms.ite(condition.term, termOf(terms, a, width), termOf(terms, b, width)));
}

Value updated(TermTable& terms, RmwOp op, const Value& old, const Value& operand, unsigned width) {
  const auto pick = [&](TermOp less, bool wantLess) {
    const Value isLess = binaryValue(terms, less, old, operand, width);
    return wantLess ? selected(terms, isLess, old, operand, width)
                    : selected(terms, isLess, operand, old, width);
  };
  switch (op) {
    case RmwOp::Exchange:
      return operand;
    case RmwOp::Add:
      return binaryValue(terms, TermOp::Add, old, operand, width);
    case RmwOp::Sub:
      return binaryValue(terms, TermOp::Sub, old, operand, width);
    case RmwOp::And:
      return binaryValue(terms, TermOp::And, old, operand, width);
    case RmwOp::Nand:
      return binaryValue(terms, TermOp::Xor, binaryValue(terms, TermOp::And, old, operand, width),
                         {widthMask(width)}, width);
    case RmwOp::Or:
      return binaryValue(terms, TermOp::Or, old, operand, width);
    case RmwOp::Xor:
      return binaryValue(terms, TermOp::Xor, old, operand, width);
    case RmwOp::Max:
      return pick(TermOp::Slt, false);
    case RmwOp::Min:
      return pick(TermOp::Slt, true);
    case RmwOp::UMax:
      return pick(TermOp::Ult, false);
    case RmwOp::UMin:
      return pick(TermOp::Ult, true);
  }
  return operand;
}

namespace {

Value countedBits(TermTable& terms, IntegerOp op, const Value& a, unsigned width) {
  const Value zero{0};
  if (!a.term) {
    switch (op) {
      case IntegerOp::PopCount:
        return {static_cast<uint64_t>(std::popcount(a.bits))};
      case IntegerOp::LeadingZeros:
        return {static_cast<uint64_t>(std::countl_zero(a.bits)) - (64 - width)};
      default:
        return {a.bits == 0 ? width : static_cast<uint64_t>(std::countr_zero(a.bits))};
    }
  }
  Value result = op == IntegerOp::PopCount ? zero : Value{width};
  for (unsigned i = 0; i < width; ++i) {
    // For the zero counts the last bit looked at that is set decides.
    const unsigned position = op == IntegerOp::TrailingZeros ? width - 1 - i : i;
    const Value bit = extracted(terms, a, position, 1, width);
    if (op == IntegerOp::PopCount)
      result = binaryValue(terms, TermOp::Add, result, zeroExtended(terms, bit, 1, width), width);
    else
      result = selected(terms, bit, {op == IntegerOp::TrailingZeros ? position : width - 1 - position},
                        result, width);
  }
  return result;
}

Value overflowOf(TermTable& terms, IntegerOp op, const Value& a, const Value& b, const Value& result,
                 unsigned width) {
  const Value zero{0};
  if ((op == IntegerOp::SMulOverflow || op == IntegerOp::UMulOverflow) && width <= 32) {
    // The product in twice the width is the truth; far easier to reason about than a quotient.
    const unsigned wide = 2 * width;
    const auto widened = [&](const Value& v) {
      return op == IntegerOp::SMulOverflow ? signExtended(terms, v, width, wide)
                                           : zeroExtended(terms, v, width, wide);
    };
    return notEqual(terms, binaryValue(terms, TermOp::Mul, widened(a), widened(b), wide), widened(result),
                    wide);
  }
  switch (op) {
    case IntegerOp::UAddOverflow:
      return binaryValue(terms, TermOp::Ult, result, a, width);
    case IntegerOp::USubOverflow:
      return binaryValue(terms, TermOp::Ult, a, b, width);
    case IntegerOp::SAddOverflow:
    case IntegerOp::SSubOverflow: {
      // Overflow: the operands' signs allow it, and the result's sign differs from a's.
      const Value changed = binaryValue(terms, TermOp::Xor, a, result, width);
      const Value other = op == IntegerOp::SAddOverflow ? binaryValue(terms, TermOp::Xor, b, result, width)
                                                        : binaryValue(terms, TermOp::Xor, a, b, width);
      return binaryValue(terms, TermOp::Slt, binaryValue(terms, TermOp::And, changed, other, width), zero,
                         width);
    }
    case IntegerOp::UMulOverflow: {
      // a != 0 and a * b / a != b
      const Value quotient = binaryValue(terms, TermOp::UDiv, result, a, width);
      const Value differs = notEqual(terms, quotient, b, width);
      return selected(terms, notEqual(terms, a, zero, width), differs, zero, 1);
    }
    default: {
      const Value quotient = binaryValue(terms, TermOp::SDiv, result, a, width);
      const Value differs = notEqual(terms, quotient, b, width);
      const Value least{1ull << (width - 1)}, minusOne{widthMask(width)};
      // -1 * least is the one product whose quotient agrees by wrapping.
      const Value special =
          binaryValue(terms, TermOp::And, binaryValue(terms, TermOp::Eq, a, minusOne, width),
                      binaryValue(terms, TermOp::Eq, b, least, width), 1);
      const Value wrong = binaryValue(terms, TermOp::Or, differs, special, 1);
      return selected(terms, notEqual(terms, a, zero, width), wrong, zero, 1);
    }
  }
}

Value saturated(TermTable& terms, IntegerOp op, const Value& a, const Value& b, unsigned width) {
  const bool adds = op == IntegerOp::SAddSat || op == IntegerOp::UAddSat;
  const bool isSigned = op == IntegerOp::SAddSat || op == IntegerOp::SSubSat;
  const Value result = binaryValue(terms, adds ? TermOp::Add : TermOp::Sub, a, b, width);
  const IntegerOp plain = adds ? (isSigned ? IntegerOp::SAddOverflow : IntegerOp::UAddOverflow)
                               : (isSigned ? IntegerOp::SSubOverflow : IntegerOp::USubOverflow);
  const Value overflow = overflowOf(terms, plain, a, b, result, width);
  Value limit{adds ? widthMask(width) : 0};
  if (isSigned)  // the sign of `a` says which way it went
    limit = selected(terms, binaryValue(terms, TermOp::Slt, a, {0}, width), {1ull << (width - 1)},
                     {widthMask(width - 1)}, width);
  return selected(terms, overflow, limit, result, width);
}

}  // namespace

Value integerValue(TermTable& terms, IntegerOp op, const Value& a, const Value& b, const Value& c,
                   unsigned width, Value& overflow) {
  const Value zero{0};
  switch (op) {
    case IntegerOp::SMax:
      return updated(terms, RmwOp::Max, a, b, width);
    case IntegerOp::SMin:
      return updated(terms, RmwOp::Min, a, b, width);
    case IntegerOp::UMax:
      return updated(terms, RmwOp::UMax, a, b, width);
    case IntegerOp::UMin:
      return updated(terms, RmwOp::UMin, a, b, width);
    case IntegerOp::Abs:
      return selected(terms, binaryValue(terms, TermOp::Slt, a, zero, width),
                      binaryValue(terms, TermOp::Sub, zero, a, width), a, width);
    case IntegerOp::ByteSwap: {
      Value result = extracted(terms, a, 0, 8, width);
      for (unsigned low = 8; low < width; low += 8)
        result = concatenated(terms, result, low, extracted(terms, a, low, 8, width), 8);
      return result;
    }
    case IntegerOp::PopCount:
    case IntegerOp::LeadingZeros:
    case IntegerOp::TrailingZeros:
      return countedBits(terms, op, a, width);
    case IntegerOp::BitReverse: {
      Value result = extracted(terms, a, 0, 1, width);
      for (unsigned low = 1; low < width; ++low)
        result = concatenated(terms, result, low, extracted(terms, a, low, 1, width), 1);
      return result;
    }
    case IntegerOp::SAddSat:
    case IntegerOp::UAddSat:
    case IntegerOp::SSubSat:
    case IntegerOp::USubSat:
      return saturated(terms, op, a, b, width);
    case IntegerOp::FunnelLeft:
    case IntegerOp::FunnelRight: {
      const bool left = op == IntegerOp::FunnelLeft;
      const Value shift = binaryValue(terms, TermOp::URem, c, {width}, width);
      const Value back = binaryValue(terms, TermOp::Sub, {width}, shift, width);
      // A shift by `width` gives 0, so a shift of 0 needs no case of its own.
      const Value high = binaryValue(terms, TermOp::Shl, a, left ? shift : back, width);
      const Value low = binaryValue(terms, TermOp::LShr, b, left ? back : shift, width);
      return binaryValue(terms, TermOp::Or, high, low, width);
    }
    default:
      break;
  }
  TermOp arithmetic = TermOp::Mul;
  if (op == IntegerOp::SAddOverflow || op == IntegerOp::UAddOverflow) arithmetic = TermOp::Add;
  if (op == IntegerOp::SSubOverflow || op == IntegerOp::USubOverflow) arithmetic = TermOp::Sub;
  const Value result = binaryValue(terms, arithmetic, a, b, width);
  overflow = overflowOf(terms, op, a, b, result, width);
  return result;
}

}  // namespace heddle
