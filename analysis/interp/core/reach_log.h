// ReachLog: what all executions together have reached, so that a report can tell what none of them reached.
//
// Every run of a machine is an execution of the program, even one that an exploration drops because it taught
// what is shared. So all runs may write here.
//
// Threading: one machine at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "analysis/model/ids.h"

namespace heddle {

/// What is known of the threads that run one function. The first thread runs the entry point.
struct ThreadReach {
  uint32_t started = 0;  // the most in one execution
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
