// The one place where the text of a bound is made.
//
// Threading: pure function.
#pragma once

#include <string>

#include "analysis/model/bound.h"
#include "analysis/program/program.h"

namespace heddle {

/// "loop at a.c:12 cut after 10 iterations", …
std::string boundText(const Program& program, const Bound& bound);

}  // namespace heddle
