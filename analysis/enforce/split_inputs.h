// SplitInputs: constraints for programs in which no one order of the events serves all inputs: the inputs are
// divided into ranges, each with the constraints of a trace of its own, which hold for these inputs only (the
// conditions on edges of a symbolic trace, Definition 1 of the paper).
//
// Where a trace with the inputs v does not serve the inputs w, an input in which they differ is looked for
// such that the trace serves v's value of it, and the border between the two values is found by halving.
// Nothing is believed here: the caller proves what comes out of it.
//
// Threading: one thread per call.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "analysis/enforce/trace.h"
#include "analysis/pipeline/pipeline.h"

namespace heddle {

struct InputSplitter {
  /// An execution with these inputs under each order that is tried, also one that fails or does not end.
  std::function<std::vector<Trace>(const TraceInputs&)> record;
  /// The program under the prefix, for inputs within the ranges.
  std::function<Report(const Prefix&, const std::vector<InputRange>&)> explore;
  const Budget& budget;

  /// nullopt: none were found, or no input makes a difference.
  std::optional<Prefix> split(const TraceInputs& inputs) const;
};

}  // namespace heddle
