// Numbers as C converts and promotes them.
//
// Threading: pure functions.
#pragma once

#include "analysis/debug/value_view.h"

namespace heddle {

bool isSigned(const Scalar& s);
double realOf(const Scalar& s);
/// The number as int if its type is smaller; an address becomes a number.
Scalar promoted(Scalar s);
/// The number as an integer type of `size` bytes; `s` must be an integer, too.
Scalar converted(const Scalar& s, TypeKind kind, uint64_t size);

}  // namespace heddle
