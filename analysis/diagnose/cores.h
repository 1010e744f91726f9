// Cores: minimal sets of orderings under which a property must fail (ConcBugAssist, Algorithm 1).
//
//   hard   complete executions with the inputs of the failing one in which the property holds
//   soft   the orderings of events of different threads in the failing execution
//
// Hard ∧ soft has no model, and a minimal unsatisfiable subset of the soft part is the core. The core is
// blocked and the solver is asked for the next failing execution (with any inputs), until there is none.
// Each failing execution that a model gives is run before it counts.
//
// First only dependent events are ordered: the same location with at least one write, or the same mutex.
// These orderings determine what happens, unless a thread takes another path on which it does something
// that no ordering mentions. In that case they become causal: what follows a write (or an acquisition)
// happens only after it. Causal orderings suffice. The first event that differs from the failing execution
// would have to be a read from another write, and each write of the failing execution has kept its place.
// Ordering all pairs is the last resort.
//
// Threading: one thread.
#pragma once

#include <string>
#include <vector>

#include "analysis/diagnose/execution_formula.h"
#include "analysis/diagnose/recorded_execution.h"

namespace heddle {

/// Which events of an execution are ordered.
enum class Pairs : uint8_t { Dependent, Causal, All };

struct Core {
  /// Empty only if no schedule avoids the failure with these inputs.
  std::vector<Ordering> orderings;
  bool minimal = true;             // proved: the property can hold if any one element is dropped
  Pairs pairs = Pairs::Dependent;  // the pairs that were needed to determine the failing execution
  size_t softSize = 0;  // number of orderings of the failing execution from which the core was chosen
  RecordedExecution failing;
};

struct CoreSet {
  std::vector<Core> cores;
  bool complete = false;  // no failing execution is left
  std::string problem;    // why it is not complete, unless the budget ended
};

struct CoreOptions {
  uint32_t maxCores = 64;
};

/// `first`: the failing execution that was reported. The forest must hold it.
CoreSet findCores(Runner& runner, const SourceEvents& events, ExecutionFormula& formula,
                  const RecordedExecution& first, const CoreOptions& options, const Budget& budget);

/// The orderings of events of different threads in an execution. The most informative ones come last.
std::vector<Ordering> orderingsOf(const Forest& forest, const SourceEvents& events,
                                  const Precedence& precedence, const RecordedExecution& execution,
                                  Pairs pairs);

/// True if `core` implies failure with these inputs, and no subset with one element less does. False if an
/// answer is unknown.
bool proveCore(const Names& names, ExecutionFormula& formula, const Core& core, const Budget& budget);

}  // namespace heddle
