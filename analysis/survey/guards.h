// Guards: which lock guards which data, as Clang's thread-safety attributes say it and as executions keep to
// it (Hutchins, Ballman and Sutherland, "C/C++ Thread Safety Analysis", SCAM 2014).
//
// A guard that nobody has written down is one that all explored executions keep to, in a report whose races
// are verified; a function that they do not come to has to take the lock before the access, in its text. The
// attributes are written as macros, which mean nothing to other compilers.
//
// Threading: may be called from any thread.
#pragma once

#include "analysis/pipeline/pipeline.h"
#include "analysis/report.h"

namespace heddle {

/// `report`: of `snapshot`, with its accesses. Nothing when Clang cannot read the text.
Guards guardsOf(const Snapshot& snapshot, const Report& report);

}  // namespace heddle
