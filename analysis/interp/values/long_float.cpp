// x86's 80-bit long double, computed by that of this machine. On machines without it the lowering lets no
// such value through.
#include <cmath>
#include <cstring>
#include <limits>

#include "analysis/interp/values/value_ops.h"

namespace heddle {

namespace {

constexpr size_t kBytes = 10;

long double extendedReal(uint64_t bits, unsigned width) {
  if (width == 32) {
    float value = 0;
    const auto narrow = static_cast<uint32_t>(bits);
    std::memcpy(&value, &narrow, 4);
    return static_cast<long double>(value);
  }
  double value = 0;
  std::memcpy(&value, &bits, 8);
  return static_cast<long double>(value);
}

uint64_t encoded(long double value, unsigned width) {
  uint64_t bits = 0;
  if (width == 32) {
    const auto narrow = static_cast<float>(value);
    std::memcpy(&bits, &narrow, 4);
  } else {
    const auto narrow = static_cast<double>(value);
    std::memcpy(&bits, &narrow, 8);
  }
  return bits;
}

uint64_t toSigned(long double value, unsigned width) {
  const long double limit = std::ldexp(1.0L, static_cast<int>(width) - 1);
  if (!(value > -limit - 1.0L && value < limit)) return 1ull << (width - 1);
  return static_cast<uint64_t>(static_cast<int64_t>(value)) & widthMask(width);
}

uint64_t toUnsigned(long double value, unsigned width) {
  if (!(value > -1.0L)) return toSigned(value, 64) & widthMask(width);
  if (value >= std::ldexp(1.0L, static_cast<int>(width))) return widthMask(width);
  return static_cast<uint64_t>(value) & widthMask(width);
}

long double arithmetic(FloatOp op, long double x, long double y, long double z) {
  switch (op) {
    case FloatOp::Add:
      return x + y;
    case FloatOp::Sub:
      return x - y;
    case FloatOp::Mul:
      return x * y;
    case FloatOp::Div:
      return x / y;
    case FloatOp::Rem:
      return std::fmod(x, y);
    case FloatOp::Neg:
      return -x;
    case FloatOp::Abs:
      return std::fabs(x);
    case FloatOp::Fma:
      return x * y + z;
    case FloatOp::Floor:
      return std::floor(x);
    case FloatOp::Ceil:
      return std::ceil(x);
    case FloatOp::Trunc:
      return std::trunc(x);
    case FloatOp::Sqrt:
      return std::sqrt(x);
    case FloatOp::CopySign:
      return std::copysign(x, y);
    case FloatOp::Min:
      return std::fmin(x, y);
    case FloatOp::Max:
      return std::fmax(x, y);
    case FloatOp::Rint:
      return std::nearbyint(x);
    default:
      return std::round(x);
  }
}

}  // namespace

LongBits longBits(long double value) {
  LongBits bits;
  unsigned char bytes[sizeof(long double)] = {};
  std::memcpy(bytes, &value, sizeof value);
  std::memcpy(&bits.low, bytes, 8);
  std::memcpy(&bits.high, bytes + 8, kBytes - 8);
  return bits;
}

long double longValue(const LongBits& bits) {
  unsigned char bytes[sizeof(long double)] = {};
  std::memcpy(bytes, &bits.low, 8);
  std::memcpy(bytes + 8, &bits.high, kBytes - 8);
  long double value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

LongBits longFloatValue(FloatOp op, const LongBits& a, const LongBits& b, const LongBits& c, unsigned other) {
  switch (op) {
    case FloatOp::ToSigned:
      return {toSigned(longValue(a), other), 0};
    case FloatOp::ToUnsigned:
      return {toUnsigned(longValue(a), other), 0};
    case FloatOp::Truncate:
      return {encoded(longValue(a), other), 0};
    case FloatOp::FromSigned:
      return longBits(static_cast<long double>(signExtend(a.low, other)));
    case FloatOp::FromUnsigned:
      return longBits(static_cast<long double>(a.low));
    case FloatOp::Extend:
      return longBits(extendedReal(a.low, other));
    default:
      return longBits(arithmetic(op, longValue(a), longValue(b), longValue(c)));
  }
}

bool longFloatCompare(uint8_t predicate, const LongBits& a, const LongBits& b) {
  const long double x = longValue(a), y = longValue(b);
  const unsigned relation = std::isnan(x) || std::isnan(y) ? 8u : x == y ? 1u : x > y ? 2u : 4u;
  return predicate & relation;
}

}  // namespace heddle
