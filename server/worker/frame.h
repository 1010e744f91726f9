// Frames between the server and the processes that explore for it: a kind, a length and bytes.
//
//     server → worker   Analyze, Replay, ReplayEach, Repair, Reproduce, Constrain, Enforced, Cover,
//                       Harnesses (one at a time), Stop
//     worker → server   Finding, Progress, Seen, Done
//
// Threading: as file descriptors: one reader and one writer each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heddle {

enum class FrameKind : uint8_t {
  Analyze,
  Replay,
  ReplayEach,
  Repair,
  Reproduce,
  Constrain,
  Enforced,
  Cover,
  Harnesses,
  Stop,
  Finding,
  Progress,
  Seen,
  Done
};

struct Frame {
  FrameKind kind = FrameKind::Done;
  std::string body;
};

/// False: the other end is gone.
bool writeFrame(int file, FrameKind kind, const std::string& body);

/// Blocks. nullopt: the other end is gone, or what it sent is no frame.
std::optional<Frame> readFrame(int file);

/// What a worker needs of a budget: the clock of the machine is the same for both.
struct WireBudget {
  int64_t milliseconds = -1;  // that are left; -1: no deadline
  uint64_t steps = 0;         // that are left
  uint64_t memory = 0;        // of the solver, bytes; 0: no limit
};

}  // namespace heddle
