// Relax: finds constraints under which a program is safe, and takes away what is not needed (iteratively
// relaxed scheduling).
//
// 1. Candidates: complete executions under several orders of the threads, each with the constraints of its
//    trace; the ones that are cheaper to enforce come first.
// 2. Proof: the program with the constraints is explored, as any program is. No finding and no open leaf mean
//    that the constraints exclude every failure (Theorem 1 of the paper) and that every execution goes on to
//    its end whatever the inputs (Theorem 2: a wait that nobody ends is a deadlock). A finding with other
//    inputs adds the constraints of the trace that these inputs have. Where no order serves all inputs, they
//    are divided (split_inputs.h).
// 3. Relaxing: constraints go from the end, each time proved anew, until none can go.
//
// The program may have a bug: then the constraints that stay exclude it for good.
//
// Threading: as analyze().
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/enforce/prefix.h"
#include "analysis/enforce/trace.h"
#include "analysis/pipeline/pipeline.h"

namespace heddle {

/// One attempt to prove that a prefix is admissible.
struct RelaxStep {
  Prefix prefix;
  bool proved = false;
  Verdict verdict = Verdict::Incomplete;
  double seconds = 0;       // that the proof took
  double sinceStart = 0;    // seconds
  uint64_t executions = 0;  // that the exploration ran
};

struct Enforcement {
  bool found = false;  // else `problem` says why not
  std::string problem;
  Prefix prefix;  // the last one that was proved
  TraceOrder order = TraceOrder::InTurn;
  size_t candidates = 0;
  std::vector<RelaxStep> steps;
  double safeAfter = 0;     // seconds until the first proof: the verification delay
  bool isFree = false;      // no constraint is needed
  bool wasRelaxed = false;  // to the end: each constraint that is left is needed, as far as could be proved
  Verdict verdict = Verdict::Incomplete;  // of the program under the prefix: verified, or within bounds
  std::vector<std::string> bounds;        // and assumptions, that the proof names
  std::vector<Site> sites;
};

struct EnforceOptions {
  size_t atLeast = 0;               // constraints that are left: relaxing ends there
  std::optional<TraceOrder> order;  // the only candidate; none: the best
};

bool isProved(const Report& report);

/// The inputs of a finding, which its schedule carries.
TraceInputs inputsOf(const Finding& finding);

/// `seen`: each step, as soon as it is known.
Enforcement findEnforcement(
    const Snapshot& snapshot, const Options& options, const Budget& budget,
    const EnforceOptions& enforce = {},
    const std::function<void(const RelaxStep&)>& seen = [](const RelaxStep&) {});

}  // namespace heddle
