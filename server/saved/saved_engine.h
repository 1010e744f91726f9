// Saved findings in the engine: they are run before an exploration begins, by the command line and by the
// server alike, so that a bug that comes back is told at once, and whatever the budget.
//
// Threading: as Engine.
#pragma once

#include "server/engine.h"
#include "server/saved/saved_finding.h"

namespace heddle {

/// `engine`, whose explorations of a file first run what was saved of it with the same harness, or without
/// one with the same entry point, and report what became of each (Report::saved). One that fails is a
/// finding, whatever the exploration comes to: it was replayed. It must lie within withGeneratedHarnesses,
/// which gives the text that is explored and says which failures are only possible.
Engine withSavedFindings(Engine engine);

/// A finding of an exploration as it is saved. `problem`: one line where it cannot be; else empty.
SavedFinding saveFinding(const Snapshot& snapshot, const Options& options, const Finding& finding,
                         const Budget& budget, std::string& problem);

}  // namespace heddle
