#include "analysis/interp/values/float_terms.h"

namespace heddle {
namespace {

/// Values of one width, written as expressions.
class Bits {
 public:
  Bits(TermTable& terms, unsigned width) : terms_(terms), width_(width) {}

  Value constant(uint64_t bits) const { return {bits & widthMask(width_)}; }
  Value op(TermOp op, const Value& a, const Value& b) const { return binaryValue(terms_, op, a, b, width_); }
  Value op(TermOp op, const Value& a, uint64_t b) const {
    return binaryValue(terms_, op, a, constant(b), width_);
  }
  Value select(const Value& condition, const Value& a, const Value& b) const {
    return selected(terms_, condition, a, b, width_);
  }
  Value no(const Value& a) const { return logicalNot(terms_, a); }
  Value both(const Value& a, const Value& b) const { return binaryValue(terms_, TermOp::And, a, b, 1); }
  Value either(const Value& a, const Value& b) const { return binaryValue(terms_, TermOp::Or, a, b, 1); }

 private:
  TermTable& terms_;
  unsigned width_;
};

/// The parts of a format (IEEE 754-2008, 3.4).
struct Format {
  explicit Format(unsigned width)
      : fraction(width == 64 ? 52 : 23),
        bias(width == 64 ? 1023 : 127),
        sign(1ull << (width - 1)),
        infinity((sign - 1) & ~((1ull << fraction) - 1)) {}
  unsigned fraction;  // bits
  uint64_t bias;
  uint64_t sign, infinity;  // bits of them
};

bool hasFormat(unsigned width) {
  return width == 32 || width == 64;
}

/// An integer below 2 to the power of the fraction's width and one: nothing is rounded.
FloatTerm fromInteger(TermTable& terms, bool isSigned, const Value& a, unsigned width, unsigned from) {
  const Format format(width);
  const Bits in(terms, from), out(terms, 64);
  const Value isNegative = isSigned ? in.op(TermOp::Slt, a, uint64_t{0}) : Value{0};
  const Value magnitude = in.select(isNegative, in.op(TermOp::Sub, in.constant(0), a), a);
  const unsigned exact = format.fraction + 1;
  FloatTerm result{true, {1}, {}};
  if (from > exact) result.fits = in.op(TermOp::Ult, magnitude, 1ull << exact);
  Value digits = zeroExtended(terms, magnitude, from, 64);
  Value exponent = out.constant(format.bias + format.fraction);
  for (unsigned step = 32; step != 0; step /= 2) {
    if (step > format.fraction) continue;
    const Value isBelow = out.op(TermOp::Ult, digits, 1ull << (exact - step));
    digits = out.select(isBelow, out.op(TermOp::Shl, digits, step), digits);
    exponent = out.select(isBelow, out.op(TermOp::Sub, exponent, step), exponent);
  }
  const Value fraction = out.op(TermOp::And, digits, (1ull << format.fraction) - 1);
  const Value positive = out.op(TermOp::Or, out.op(TermOp::Shl, exponent, format.fraction), fraction);
  const Value isZero = out.op(TermOp::Eq, digits, uint64_t{0});
  const Value number = out.select(isZero, out.constant(0), positive);
  result.value =
      truncated(terms, out.select(isNegative, out.op(TermOp::Or, number, format.sign), number), width);
  return result;
}

/// What floatTerm() has made, not what was read of memory.
bool isMade(const TermTable& terms, Term term) {
  const TermNode& node = terms.node(term);
  switch (node.op) {
    case TermOp::Ite:
    case TermOp::Or:
      return true;
    case TermOp::Extract:
      return isMade(terms, node.a);
    case TermOp::Xor:
    case TermOp::And:
      return isMade(terms, terms.isConst(node.a) ? node.b : node.a);
    default:
      return false;
  }
}

}  // namespace

bool areFloatTerms(const TermTable& terms, const Value& a, const Value& b) {
  return (!a.term || isMade(terms, a.term)) && (!b.term || isMade(terms, b.term));
}

FloatTerm floatTerm(TermTable& terms, FloatOp op, const Value& a, unsigned width, unsigned from) {
  const bool toFloat = op == FloatOp::FromSigned || op == FloatOp::FromUnsigned;
  if (toFloat && hasFormat(width)) return fromInteger(terms, op == FloatOp::FromSigned, a, width, from);
  if ((op != FloatOp::Neg && op != FloatOp::Abs) || !hasFormat(width)) return {};
  const Bits bits(terms, width);
  const uint64_t sign = Format(width).sign;
  return {true, {1}, op == FloatOp::Neg ? bits.op(TermOp::Xor, a, sign) : bits.op(TermOp::And, a, sign - 1)};
}

Value floatTermCompare(TermTable& terms, uint8_t predicate, const Value& a, const Value& b, unsigned width) {
  const Format format(width);
  const Bits bits(terms, width);
  const auto magnitude = [&](const Value& of) { return bits.op(TermOp::And, of, format.sign - 1); };
  const auto isNan = [&](const Value& of) {
    return bits.op(TermOp::Ult, bits.constant(format.infinity), magnitude(of));
  };
  // Negative zero is zero; larger numbers have larger keys.
  const auto key = [&](const Value& of) {
    const Value isZero = bits.op(TermOp::Eq, magnitude(of), uint64_t{0});
    const Value isNegative = bits.op(TermOp::Slt, of, uint64_t{0});
    const Value ordered =
        bits.select(isNegative, bits.op(TermOp::Xor, of, ~uint64_t{0}), bits.op(TermOp::Or, of, format.sign));
    return bits.select(isZero, bits.constant(format.sign), ordered);
  };
  const Value left = key(a), right = key(b);
  Value holds{0};
  if (predicate & 1u) holds = bits.either(holds, bits.op(TermOp::Eq, left, right));
  if (predicate & 2u) holds = bits.either(holds, bits.op(TermOp::Ult, right, left));
  if (predicate & 4u) holds = bits.either(holds, bits.op(TermOp::Ult, left, right));
  const Value isUnordered = bits.either(isNan(a), isNan(b));
  return selected(terms, isUnordered, {(predicate & 8u) != 0 ? 1u : 0u}, holds, 1);
}

}  // namespace heddle
