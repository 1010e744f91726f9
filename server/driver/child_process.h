// Work in a forked child: its own CPU time and peak memory, and a crash or a hang that ends the child only.
//
// Must be called from a process with one thread, as only the calling thread goes on in the child.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace heddle {

struct ChildOutcome {
  bool finished = false;  // the work returned; else `problem` says what ended it
  std::string problem;    // "crashed (signal 11)", "killed after 70 s", …
  std::string result;
  double cpuSeconds = 0;  // user and system
  double wallSeconds = 0;
  uint64_t peakRssMb = 0;
};

/// Kills the child when it takes longer than `limit`; a limit of zero means none.
ChildOutcome runInChild(const std::function<std::string()>& work, std::chrono::milliseconds limit);

}  // namespace heddle
