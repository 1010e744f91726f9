// Guards: which lock guards which data, according to Clang's thread-safety attributes and to what
// executions do (Hutchins, Ballman and Sutherland, "C/C++ Thread Safety Analysis", SCAM 2014).
//
// A guard without an attribute must be held in all explored executions, in a report whose property `race`
// is verified. A function that no execution reaches must acquire the lock before the access in its text.
// The attributes are written as macros, which are empty for other compilers.
//
// Threading: may be called from any thread.
#pragma once

#include "analysis/pipeline/pipeline.h"
#include "analysis/report.h"

namespace heddle {

/// `report`: the report of `snapshot`, with Report::accesses. Empty if Clang cannot read the text.
Guards guardsOf(const Snapshot& snapshot, const Report& report);

}  // namespace heddle
