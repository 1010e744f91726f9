// ReachLog: what executions came to, taken together: so that a report can tell what none of them has seen.
//
// Every run of a machine is an execution of the program, also one that an exploration drops because it taught
// what is shared; so all of them may note here.
//
// Threading: one machine at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "analysis/model/ids.h"

namespace heddle {

/// Of the threads that run one function; the first thread runs the entry point.
struct ThreadReach {
  uint32_t started = 0;  // most of them in one execution
  bool ended = false;    // some returned, or called the exit function of threads or of the process
};

struct ReachLog {
  static constexpr uint8_t kTrue = 1;     // a branch whose condition held
  static constexpr uint8_t kFalse = 2;    // a branch whose condition did not hold
  static constexpr uint8_t kEntered = 4;  // a function's first instruction, a call, a target of a switch

  std::vector<uint8_t> at;  // by program counter
  std::map<FunctionId, ThreadReach> threads;

  explicit ReachLog(size_t instructions) : at(instructions) {}
};

}  // namespace heddle
