// Run-time texts: the C texts of runtime/, with which native programs are compiled.
//
// Threading: constants.
#pragma once

namespace heddle {

/// The run-time for a plan; the tables replace HEDDLE_PLAN in it.
const char* nativeRuntime();
/// The run-time for a prefix; tables and functions replace HEDDLE_CONSTRAINTS and HEDDLE_RUNS in it.
const char* enforceRuntime();
/// Definitions of functions that normally only a verifier defines, for programs that do not define them.
const char* inputsRuntime();

}  // namespace heddle
