// Cores: minimal sets of orderings under which a property must fail (ConcBugAssist, Algorithm 1).
//
//   hard   complete executions with the inputs of the failing one in which the property holds
//   soft   the orderings of events of different threads in the failing execution
//
// Hard ∧ soft has no model; a minimal unsatisfiable subset of the soft part is the core. It is blocked and
// the next failing execution is asked for (with any inputs), until there is none. Each failing execution that
// a model gives is run before it counts.
//
// First only dependent events are ordered: the same location with at least one write, or the same mutex.
// These orderings determine what happens unless a thread takes another path on which it does something that
// no ordering mentions. Then they become causal: what follows a write (or an acquisition) only happens after
// it. These suffice: the first event of an execution that is not as in the failing one would have to be a
// read of another write, and each write of the failing execution is where it was. All pairs are the last
// resort.
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
  /// Never empty, except when no schedule avoids the failure with these inputs.
  std::vector<Ordering> orderings;
  bool minimal = true;             // proved: without any one element the property can hold
  Pairs pairs = Pairs::Dependent;  // that were needed to determine the failing execution
  size_t softSize = 0;             // orderings of the failing execution it was chosen from
  RecordedExecution failing;
};

struct CoreSet {
  std::vector<Core> cores;
  bool complete = false;  // no failing execution is left
  std::string problem;    // why not, unless the budget ended
};

struct CoreOptions {
  uint32_t maxCores = 64;
};

/// `first`: the failing execution that was reported. The forest must hold it.
CoreSet findCores(Runner& runner, const SourceEvents& events, ExecutionFormula& formula,
                  const RecordedExecution& first, const CoreOptions& options, const Budget& budget);

/// The orderings of events of different threads in an execution, those that say most last.
std::vector<Ordering> orderingsOf(const Forest& forest, const SourceEvents& events,
                                  const Precedence& precedence, const RecordedExecution& execution,
                                  Pairs pairs);

/// True if `core` implies failure with these inputs, and no set with one element less does. Unknown answers
/// give false.
bool proveCore(const Names& names, ExecutionFormula& formula, const Core& core, const Budget& budget);

}  // namespace heddle
