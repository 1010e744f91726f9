// Relax: finds constraints under which a program is safe, and removes those that are not needed
// (iteratively relaxed scheduling).
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
// If the program has a bug, the constraints that are left exclude it.
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
  double seconds = 0;       // time of the proof
  double sinceStart = 0;    // seconds
  uint64_t executions = 0;  // executions of the exploration
};

struct Enforcement {
  bool found = false;  // if false, `problem` says why
  std::string problem;
  Prefix prefix;  // the last one that was proved
  TraceOrder order = TraceOrder::InTurn;
  size_t candidates = 0;
  std::vector<RelaxStep> steps;
  double safeAfter = 0;  // seconds until the first proof: the verification delay
  bool isFree = false;   // no constraint is needed
  /// Relaxing ended: each constraint that is left is needed, as far as could be proved.
  bool wasRelaxed = false;
  /// Verdict on the program under the prefix: verified, or verified within bounds.
  Verdict verdict = Verdict::Incomplete;
  std::vector<std::string> bounds;  // bounds and assumptions that the proof names
  std::vector<Site> sites;
};

struct EnforceOptions {
  size_t atLeast = 0;               // relaxing ends when so many constraints are left
  std::optional<TraceOrder> order;  // the only candidate; nullopt: the best one
};

bool isProved(const Report& report);

/// The inputs of a finding, which its schedule carries.
TraceInputs inputsOf(const Finding& finding);

/// `seen` is called with each step as soon as it is known.
Enforcement findEnforcement(
    const Snapshot& snapshot, const Options& options, const Budget& budget,
    const EnforceOptions& enforce = {},
    const std::function<void(const RelaxStep&)>& seen = [](const RelaxStep&) {});

}  // namespace heddle
