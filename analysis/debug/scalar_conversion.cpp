#include "analysis/debug/scalar_conversion.h"

#include <bit>

namespace heddle {

bool isSigned(const Scalar& s) {
  return s.kind == TypeKind::Signed || s.kind == TypeKind::Character;
}

double realOf(const Scalar& s) {
  if (s.kind == TypeKind::Floating)
    return s.size == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(s.bits)))
                       : std::bit_cast<double>(s.bits);
  if (isSigned(s)) return static_cast<double>(signExtend(s.bits, static_cast<unsigned>(s.size * 8)));
  return static_cast<double>(s.bits);
}

Scalar promoted(Scalar s) {
  if (s.kind == TypeKind::Floating) return s;
  if (s.size >= 4) {
    if (s.kind == TypeKind::Pointer) s.kind = TypeKind::Unsigned;
    return s;
  }
  const auto width = static_cast<unsigned>(s.size * 8);
  return {TypeKind::Signed, 4,
          isSigned(s) ? static_cast<uint64_t>(signExtend(s.bits, width)) & 0xffffffffu : s.bits, false};
}

Scalar converted(const Scalar& s, TypeKind kind, uint64_t size) {
  const uint64_t wide =
      isSigned(s) ? static_cast<uint64_t>(signExtend(s.bits, static_cast<unsigned>(s.size * 8))) : s.bits;
  return {kind, size, wide & widthMask(static_cast<unsigned>(size * 8)), false};
}

}  // namespace heddle
