// Trace: one complete execution of a marked program, and the constraints that admit it and those that differ
// from it by the order of independent events only (a Mazurkiewicz trace).
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

/// Who goes on, where several threads can.
enum class TraceOrder : uint8_t {
  InTurn,       // the one that ran last, else the one that was created first
  LastFirst,    // the one that ran last, else the one that was created last
  Alternating,  // another than the one that ran last
  Mixed,        // by lot, mostly the one that ran last
};
const char* toString(TraceOrder order);

/// Values of the inputs, by the label of their thread and in its order; those that are missing are `other`.
struct TraceInputs {
  std::map<std::string, std::vector<int64_t>> values;
  int64_t other = 0;
};

struct Trace {
  /// Every thread has ended, and nothing failed. A program that never ends has no such trace, and so no
  /// constraints.
  bool complete = false;
  Prefix prefix;
  std::map<SiteEvent, int64_t> inputs;  // that calls gave
};

/// `seed`: of Mixed.
Trace recordTrace(const Program& program, FunctionId entry, const std::vector<Site>& sites, TraceOrder order,
                  uint32_t seed, const TraceInputs& inputs, const Budget& budget);

}  // namespace heddle
