// EnforcedProgram: a program together with a prefix: what is explored to prove the prefix, and what is
// compiled to keep to it. Both are the same module with the same run-time; only how a thread waits differs.
//
// Threading: as analyze().
#pragma once

#include <vector>

#include "analysis/enforce/native_program.h"
#include "analysis/enforce/prefix.h"
#include "analysis/pipeline/prepare.h"

namespace heddle {

enum class EnforcedFor : uint8_t { Exploring, Running, Shaking };  // Shaking: Running, see Instrumentation

/// In `compiled`; where there is none, the result says why. `sites`: of the program, marked or not.
/// `relaxFrom`: a file that the program reads when it starts, for constraints that are not needed any more;
/// empty: none. `assumed`: see exploreEnforced.
PreparedProgram enforcedModule(const Snapshot& snapshot, const Options& options, const Prefix& prefix,
                               EnforcedFor what, CompileResult& compiled, std::vector<Site>& sites,
                               const std::string& relaxFrom = {},
                               const std::vector<InputRange>& assumed = {});

/// The program, each of its sites marked, as a machine runs it.
PreparedProgram markedProgram(const Snapshot& snapshot, const Options& options, std::vector<Site>& sites);

/// What the exploration of the program under the prefix says: that it is verified means that the prefix
/// excludes every failure and that every execution comes to its end, whatever the inputs.
/// `assumed`: of the inputs; what it says is then of these inputs only.
Report exploreEnforced(const Snapshot& snapshot, const Options& options, const Prefix& prefix,
                       const Budget& budget, const std::vector<InputRange>& assumed = {});

/// For the command line: `problem` is set where there is no program.
NativeProgram enforcedProgram(const Snapshot& snapshot, const Options& options, const Prefix& prefix,
                              EnforcedFor what = EnforcedFor::Running, const std::string& relaxFrom = {});

/// Of the texts that numbers of sites belong to.
uint64_t textFingerprint(const Snapshot& snapshot);

}  // namespace heddle
