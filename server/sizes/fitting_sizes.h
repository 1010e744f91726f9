// FittingSizes: what can be decided of a program that its constants make too large.
//
// Where the exploration of a program ends without a finding because time or memory is spent, or loops and
// threads are cut, the program is explored again with small sizes, and then with larger ones, as long as
// there is budget. The verdict stays that of the sizes that are written: what smaller ones show is beside it
// (Report::sized).
//
// Threading: as Engine::analyze, on the calling thread.
#pragma once

#include "server/engine.h"

namespace heddle {

/// As engine.analyze. A program with size constants gets a share of the budget (Tuning::writtenSizes),
/// smaller ones the rest. Nothing smaller is tried where the budget has no end, where a bound on loops is
/// given, or where runs are kept in a file.
Report analyzeWithSizes(const Engine& engine, const Snapshot& snapshot, const Options& options,
                        const Budget& budget, const Observer& observer);

/// The exploration of these sizes has an answer for them: a failure, or nothing was cut.
bool isDecided(const SizedRun& run);

}  // namespace heddle
