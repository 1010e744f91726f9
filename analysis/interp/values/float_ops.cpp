#include <bit>
#include <cmath>

#include "analysis/interp/values/value_ops.h"

namespace heddle {

namespace {

double real(uint64_t bits, unsigned width) {
  return width == 32 ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)))
                     : std::bit_cast<double>(bits);
}

uint64_t encoded(double value, unsigned width) {
  return width == 32 ? std::bit_cast<uint32_t>(static_cast<float>(value)) : std::bit_cast<uint64_t>(value);
}

/// As the x86 conversions: out of range gives the most negative number.
uint64_t toSigned(double value, unsigned width) {
  const double limit = std::ldexp(1.0, static_cast<int>(width) - 1);
  if (!(value > -limit - 1.0 && value < limit)) return 1ull << (width - 1);
  return static_cast<uint64_t>(static_cast<int64_t>(value)) & widthMask(width);
}

uint64_t toUnsigned(double value, unsigned width) {
  if (!(value > -1.0)) return toSigned(value, 64) & widthMask(width);
  if (value >= std::ldexp(1.0, static_cast<int>(width))) return widthMask(width);
  return static_cast<uint64_t>(value) & widthMask(width);
}

uint64_t fromInteger(FloatOp op, uint64_t a, unsigned width, unsigned from) {
  // Straight to float, for a second rounding would show.
  if (width == 32) {
    const float f =
        op == FloatOp::FromSigned ? static_cast<float>(signExtend(a, from)) : static_cast<float>(a);
    return std::bit_cast<uint32_t>(f);
  }
  return std::bit_cast<uint64_t>(op == FloatOp::FromSigned ? static_cast<double>(signExtend(a, from))
                                                           : static_cast<double>(a));
}

}  // namespace

uint64_t floatValue(FloatOp op, uint64_t a, uint64_t b, uint64_t c, unsigned width, unsigned from) {
  const double x = real(a, width), y = real(b, width);
  switch (op) {
    // The double result of one operation on floats rounds to the float result.
    case FloatOp::Add:
      return encoded(x + y, width);
    case FloatOp::Sub:
      return encoded(x - y, width);
    case FloatOp::Mul:
      return encoded(x * y, width);
    case FloatOp::Div:
      return encoded(x / y, width);
    case FloatOp::Rem:
      return encoded(std::fmod(x, y), width);
    case FloatOp::Neg:
      return a ^ (1ull << (width - 1));
    case FloatOp::Abs:
      return a & ~(1ull << (width - 1));
    case FloatOp::ToSigned:
      return toSigned(real(a, from), width);
    case FloatOp::ToUnsigned:
      return toUnsigned(real(a, from), width);
    case FloatOp::FromSigned:
    case FloatOp::FromUnsigned:
      return fromInteger(op, a, width, from);
    case FloatOp::Extend:
      return encoded(real(a, 32), 64);
    case FloatOp::Truncate:
      return encoded(real(a, 64), 32);
    case FloatOp::Fma:
      // clang's fmuladd without contraction: two roundings, as the target without FMA does.
      if (width == 32) {
        const float product = static_cast<float>(x * y);
        return encoded(static_cast<double>(product) + real(c, 32), 32);
      }
      return encoded(x * y + real(c, width), width);
    case FloatOp::Floor:
      return encoded(std::floor(x), width);
    case FloatOp::Ceil:
      return encoded(std::ceil(x), width);
    case FloatOp::Trunc:
      return encoded(std::trunc(x), width);
    case FloatOp::Sqrt:
      return encoded(std::sqrt(x), width);
    case FloatOp::CopySign:
      return encoded(std::copysign(x, y), width);
    case FloatOp::Min:
      return encoded(std::fmin(x, y), width);
    case FloatOp::Max:
      return encoded(std::fmax(x, y), width);
    case FloatOp::Rint:
      return encoded(std::nearbyint(x), width);
    case FloatOp::Round:
      return encoded(std::round(x), width);
  }
  return 0;
}

bool floatCompare(uint8_t predicate, uint64_t a, uint64_t b, unsigned width) {
  const double x = real(a, width), y = real(b, width);
  const unsigned relation = std::isnan(x) || std::isnan(y) ? 8u : x == y ? 1u : x > y ? 2u : 4u;
  return predicate & relation;
}

}  // namespace heddle
