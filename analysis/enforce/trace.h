// Trace: one complete execution of a marked program, and constraints that admit exactly it and the
// executions that differ from it only in the order of independent events (a Mazurkiewicz trace).
//
// Threading: one thread per call.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/enforce/prefix.h"
#include "analysis/program/program.h"
#include "analysis/support/budget.h"

namespace heddle {

/// Which thread goes on if several can.
enum class TraceOrder : uint8_t {
  InTurn,       // the thread that ran last, else the one that was created first
  LastFirst,    // the thread that ran last, else the one that was created last
  Alternating,  // a thread other than the one that ran last
  Mixed,        // random, mostly the thread that ran last
};
const char* toString(TraceOrder order);

/// Values of the inputs, by the label of their thread and in its order; missing inputs have the value
/// `other`.
struct TraceInputs {
  std::map<std::string, std::vector<int64_t>> values;
  int64_t other = 0;
};

struct Trace {
  /// Every thread has ended, and nothing failed. A program that never ends has no such trace, and so no
  /// constraints.
  bool complete = false;
  Prefix prefix;
  std::map<SiteEvent, int64_t> inputs;  // inputs that calls returned
};

/// `seed`: for TraceOrder::Mixed.
Trace recordTrace(const Program& program, FunctionId entry, const std::vector<Site>& sites, TraceOrder order,
                  uint32_t seed, const TraceInputs& inputs, const Budget& budget);

}  // namespace heddle
