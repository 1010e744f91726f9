// MpcQuestion: MPC's Algorithm 2 for one combination of prefixes. It asks for a schedule and inputs that
// lead to the combination. If there are none, Strategy 2 asks for a schedule and inputs with which some of
// its threads go on alone (Definition 3.4).
//
// An answer depends only on the forest and its terms: other questions, before it or at the same time, do
// not change it. So several threads can answer the questions of Algorithm 3, with the same answers.
//
// Threading: `answer` only reads its arguments, except for the table of terms, which must belong to the
// calling thread.
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
  Budget budget;  // its own budget, so that its end does not depend on the speed of other questions
};

struct MpcAnswer {
  /// Sat: `item` is to be run. Unsat: there is nothing to run. Otherwise the budget or the memory was not
  /// enough for an answer.
  Answer answer = Answer::Unsat;
  MpcItem item;
  SolverStats stats;
};

/// `cores`: Strategy 2; else Strategy 1.
MpcAnswer answer(const FormulaParts& parts, const MpcQuestion& question, bool cores);

}  // namespace heddle
