// MpcQuestion: MPC's Algorithm 2 for one combination of prefixes: the schedule and the inputs that lead to
// it, and with Strategy 2, where there are none, those that let some of its threads go on alone
// (Definition 3.4).
//
// An answer depends on the forest, on the terms there and on nothing else: what is asked before or beside it
// changes nothing. So the questions of Algorithm 3 can be answered by several threads, with the same answers.
//
// Threading: `answer` only reads what it is given, but for the terms, which must be the thread's own.
#pragma once

#include <vector>

#include "analysis/explore/forest/thread_prefix.h"
#include "analysis/explore/formula/path_formula.h"
#include "analysis/explore/run/exploration.h"

namespace heddle {

/// A schedule with inputs, and the prefix that it leads to: what the paper calls an SI.
struct MpcItem {
  std::vector<NodeId> plan;
  ModelInputs inputs;
  std::vector<ThreadPrefix> prefix;
  /// A reachable prefix to which threads are taken back when `prefix` itself is not (yet) reachable.
  std::vector<ThreadPrefix> base;
  std::vector<ThreadId> first;
};

struct MpcQuestion {
  std::vector<ThreadPrefix> prefix;
  std::vector<ThreadPrefix> base;
  Budget budget;  // of its own, so that it does not depend on the pace of others when it ends
};

struct MpcAnswer {
  /// Sat: `item` is to be run. Unsat: there is nothing to run. Else no answer came, for the budget or memory.
  Answer answer = Answer::Unsat;
  MpcItem item;
  SolverStats stats;
};

/// `cores`: Strategy 2; else Strategy 1.
MpcAnswer answer(const FormulaParts& parts, const MpcQuestion& question, bool cores);

}  // namespace heddle
