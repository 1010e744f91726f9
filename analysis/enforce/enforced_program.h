// EnforcedProgram: a program together with a prefix. One variant is explored to prove the prefix, the other
// is compiled and follows it. Both are the same module with the same run-time; they differ only in how a
// thread waits.
//
// Threading: as analyze().
#pragma once

#include <vector>

#include "analysis/enforce/native_program.h"
#include "analysis/enforce/prefix.h"
#include "analysis/pipeline/prepare.h"

namespace heddle {

enum class EnforcedFor : uint8_t { Exploring, Running, Shaking };  // Shaking: Running, see Instrumentation

/// Leaves the module in `compiled`; if there is none, the result says why. `sites`: receives the sites of
/// the program, marked or not. `relaxFrom`: the path of a file that the program reads when it starts, with
/// constraints that are no longer needed; empty: none. `assumed`: see exploreEnforced.
PreparedProgram enforcedModule(const Snapshot& snapshot, const Options& options, const Prefix& prefix,
                               EnforcedFor what, CompileResult& compiled, std::vector<Site>& sites,
                               const std::string& relaxFrom = {},
                               const std::vector<InputRange>& assumed = {});

/// The program for the interpreter, with each of its sites marked.
PreparedProgram markedProgram(const Snapshot& snapshot, const Options& options, std::vector<Site>& sites);

/// The report of the exploration of the program under the prefix. "Verified" means that the prefix excludes
/// every failure and that every execution reaches its end, whatever the inputs.
/// `assumed`: ranges of inputs; the report then holds only for inputs in these ranges.
Report exploreEnforced(const Snapshot& snapshot, const Options& options, const Prefix& prefix,
                       const Budget& budget, const std::vector<InputRange>& assumed = {});

/// For the command line. If there is no program, `problem` is set.
NativeProgram enforcedProgram(const Snapshot& snapshot, const Options& options, const Prefix& prefix,
                              EnforcedFor what = EnforcedFor::Running, const std::string& relaxFrom = {});

/// A fingerprint of the texts to which the numbers of sites belong.
uint64_t textFingerprint(const Snapshot& snapshot);

}  // namespace heddle
