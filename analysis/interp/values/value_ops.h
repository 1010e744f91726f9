// Operations on values: concrete bits, and a term beside them when an operand depends on a symbol.
#pragma once

#include <cstdint>

#include "analysis/model/term.h"
#include "analysis/program/instruction.h"

namespace heddle {

/// Marks an undefined value (undef, poison, memory never written). It moves through copies and computations.
/// Its bits are those that a memory of zeros would give. A thread that has used it goes on with them, so that
/// its values fit together. It never reaches a term table or a sink.
inline constexpr Term kUndefined = ~0u;

inline bool isUndefined(const Value& v) {
  return v.term == kUndefined;
}
inline bool isSymbolic(const Value& v) {
  return v.term != kNoTerm && !isUndefined(v);
}

/// The term of a value of `width` bits, made from its bits when it is only concrete.
inline Term termOf(TermTable& terms, const Value& v, unsigned width) {
  return v.term ? v.term : terms.constant(v.bits & widthMask(width), width);
}

/// A value from a term; a constant term is dropped.
inline Value valueOf(const TermTable& terms, uint64_t bits, Term term) {
  return {bits, terms.isConst(term) ? kNoTerm : term};
}

// Operands must be defined. At least one of them has a term in the calls that the interpreter makes.
Value binaryValue(TermTable& terms, TermOp op, const Value& a, const Value& b, unsigned width);
Value notEqual(TermTable& terms, const Value& a, const Value& b, unsigned width);
Value logicalNot(TermTable& terms, const Value& a);
Value zeroExtended(TermTable& terms, const Value& a, unsigned from, unsigned to);
Value signExtended(TermTable& terms, const Value& a, unsigned from, unsigned to);
Value truncated(TermTable& terms, const Value& a, unsigned to);
Value extracted(TermTable& terms, const Value& a, unsigned low, unsigned width, unsigned from);
Value concatenated(TermTable& terms, const Value& high, unsigned highWidth, const Value& low,
                   unsigned lowWidth);
Value selected(TermTable& terms, const Value& condition, const Value& a, const Value& b, unsigned width);
/// The new value of an atomic update.
Value updated(TermTable& terms, RmwOp op, const Value& old, const Value& operand, unsigned width);
/// An integer intrinsic; `overflow` is set by the operations with overflow.
Value integerValue(TermTable& terms, IntegerOp op, const Value& a, const Value& b, const Value& c,
                   unsigned width, Value& overflow);

/// A value of 65 to 128 bits: the low 64, and the rest.
struct WideValue {
  Value low, high;
};
/// `op` is the operation that a Wide instruction names. `dropped` is set when a term was lost:
/// multiplication, division and shifts by a symbol are concrete only. Comparisons give their truth value in
/// `low`.
WideValue wideValue(TermTable& terms, Opcode op, const WideValue& a, const WideValue& b, unsigned width,
                    bool& dropped);

/// Bits of an x86 long double: the low 64, and the 16 above.
struct LongBits {
  uint64_t low = 0, high = 0;
};
LongBits longBits(long double value);
long double longValue(const LongBits& bits);
/// `other`: width in bits of the other side of a conversion. Of that side, as operand or as result, only
/// `low` counts.
LongBits longFloatValue(FloatOp op, const LongBits& a, const LongBits& b, const LongBits& c, unsigned other);
bool longFloatCompare(uint8_t predicate, const LongBits& a, const LongBits& b);

/// Floating point is concrete only. `from`: operand width of a conversion.
uint64_t floatValue(FloatOp op, uint64_t a, uint64_t b, uint64_t c, unsigned width, unsigned from);
bool floatCompare(uint8_t predicate, uint64_t a, uint64_t b, unsigned width);

}  // namespace heddle
