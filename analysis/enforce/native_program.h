// NativeProgram: the parts of a native program: the instrumented module, and the C text of its run-time
// with its plan. Nothing is compiled or run here; the command line does that
// (server/native/native_build.h).
//
// Threading: as analyze(). Never throws.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

struct NativeProgram {
  std::string bitcode;             // empty: `problem` says why there is none
  std::string runtime;             // C text
  std::vector<std::string> notes;  // what the native program cannot be forced to do
  std::string finding;
  uint32_t threads = 0, steps = 0, sites = 0;  // of the plan: steps are passes of instrumented sites
  std::string problem;
};

/// The program that follows the schedule with its inputs and fails as the replay of the schedule does.
/// `kind`: which finding, if the schedule shows several; nullopt: one of the properties in the options.
NativeProgram reproducer(const Snapshot& snapshot, const Options& options, const std::string& schedule,
                         std::optional<Property> kind, const Budget& budget);

}  // namespace heddle
