// Generated harnesses in the engine: explorations and replays of files that do not define their entry point,
// by the command line and by the server alike. The survey of the file runs where the exploration runs, so in
// a worker of the server.
//
// Threading: as Engine.
#pragma once

#include "analysis/repair/callers.h"
#include "server/engine.h"

namespace heddle {

/// Explores what other callers may do with the functions that a patch for `finding` changes, after it and,
/// where that shows something, before it too; and, where the patch changes only who calls the functions that
/// have the bug, what other callers of those still meet.
CallerCheck checkOtherUses(const Snapshot& before, const Snapshot& after, const Finding& finding,
                           const Options& options, const Budget& budget);

/// Whether the use still shows a failure of one of its kinds with what `after` says.
bool failsInUse(const Snapshot& after, const MendedUse& use, const Options& options, const Budget& budget);

/// `engine`, whose explorations and replays follow Options::harness.
Engine withGeneratedHarnesses(Engine engine);

/// What is explored for a snapshot with these options: itself, or with the generated harness that the options
/// name behind its text, and the entry point of that.
struct ExploredInstead {
  Snapshot snapshot;
  Options options;
};
ExploredInstead exploredInstead(const Snapshot& snapshot, const Options& options, const Budget& budget);

}  // namespace heddle
