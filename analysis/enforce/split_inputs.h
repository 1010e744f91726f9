// SplitInputs: constraints for programs in which no single order of the events serves all inputs. The
// inputs are divided into ranges, each with the constraints of its own trace, which hold only for these
// inputs (the conditions on edges of a symbolic trace, Definition 1 of the paper).
//
// If a trace with the inputs v does not serve the inputs w, it looks for an input in which they differ such
// that the trace serves v's value of it. It finds the border between the two values by bisection. The
// result is not proved here: the caller must prove it.
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
  /// Records an execution with these inputs under each order that is tried, even if it fails or does not
  /// end.
  std::function<std::vector<Trace>(const TraceInputs&)> record;
  /// Explores the program under the prefix, for inputs within the ranges.
  std::function<Report(const Prefix&, const std::vector<InputRange>&)> explore;
  const Budget& budget;

  /// A prefix with conditions. nullopt: none was found, or no input makes a difference.
  std::optional<Prefix> split(const TraceInputs& inputs) const;
};

}  // namespace heddle
