// Floating-point values that depend on inputs, as terms over their bits (IEEE 754 binary32 and binary64):
// conversions of integers, comparisons and signs, as far as nothing is rounded. All else is concrete only:
// what comes of arithmetic, and conversions back, of which a solver could not undo the first one.
//
// Threading: pure functions, but for the table.
#pragma once

#include "analysis/interp/values/value_ops.h"

namespace heddle {

/// What an operation is on such values, under a condition.
struct FloatTerm {
  bool isKnown = false;  // false: the operation is concrete only
  Value fits = {1};      // of width 1; where it is 0, the result would be rounded, and is not `value`
  Value value;
};

/// Neg, Abs, FromSigned and FromUnsigned; `width` is that of the result, `from` that of the operand of a
/// conversion. `a` has a term.
FloatTerm floatTerm(TermTable& terms, FloatOp op, const Value& a, unsigned width, unsigned from);

/// Both come of floatTerm(), as far as they have terms. Others may stand for what arithmetic has made in
/// another thread, which is known from one execution.
bool areFloatTerms(const TermTable& terms, const Value& a, const Value& b);

/// `predicate`: bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered. `width`: of the operands, 32 or 64;
/// one of them at least has a term.
Value floatTermCompare(TermTable& terms, uint8_t predicate, const Value& a, const Value& b, unsigned width);

}  // namespace heddle
