// Numbers as C converts and promotes them.
//
// Threading: pure functions.
#pragma once

#include "analysis/debug/value_view.h"

namespace heddle {

bool isSigned(const Scalar& s);
double realOf(const Scalar& s);
/// To int where it is smaller; an address becomes a number.
Scalar promoted(Scalar s);
/// Between integers.
Scalar converted(const Scalar& s, TypeKind kind, uint64_t size);

}  // namespace heddle
