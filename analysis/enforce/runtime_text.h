// The C texts of runtime/, which native programs are compiled with.
//
// Threading: constants.
#pragma once

namespace heddle {

/// For a plan; HEDDLE_PLAN in it stands for the tables.
const char* nativeRuntime();
/// For a prefix; HEDDLE_CONSTRAINTS and HEDDLE_RUNS in it stand for tables and functions.
const char* enforceRuntime();
/// What only a verifier defines, for programs that leave it out.
const char* inputsRuntime();

}  // namespace heddle
