// RunState: what a file's own exploration is doing. Each state holds what belongs to it and to no other, so a
// run that nobody waits for has no progress, and a file that waits has no text that is being explored.
//
// Threading: main loop.
#pragma once

#include <chrono>
#include <memory>
#include <variant>

#include "server/convert/position_map.h"
#include "server/features/progress.h"

namespace heddle {

/// Nothing runs and nothing is going to.
struct NotRunning {};

/// Edits have come; a run begins with the next pause.
struct AwaitingPause {};

/// A run is asked for; which files its program has is being looked up, and Workspace::projectChanged() begins
/// it.
struct AwaitingProject {};

/// A request is with the queue.
struct Running {
  std::shared_ptr<const PositionMap> text;  // never null
  std::chrono::steady_clock::time_point started;
  std::unique_ptr<RunProgress> progress;  // null: the editor shows none
  Progress counts;                        // as last told
  bool isExploring = false;               // it compiles until then
  bool hasFindings = false;               // what the session shows is of this run, not of an earlier one
  bool isOverMemory = false;              // it was told to stop at the memory limit
  bool wantsLargerBox = false;            // the file was saved meanwhile, and this one's box is the small one
};

using RunState = std::variant<NotRunning, AwaitingPause, AwaitingProject, Running>;

}  // namespace heddle
