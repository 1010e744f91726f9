// HarnessExploration: a program that begins in a generated harness, explored in the states that the harness
// may begin in.
//
// Threading: any thread; several may explore at once.
#pragma once

#include "server/engine.h"
#include "server/harnessed.h"

namespace heddle {

/// Explores the harness that the options name, where they name one, else the program itself. Objects that
/// cannot be set up, and of a call alone those that show nothing as they are set up, are then in any state.
Report analyzeHarnessed(const Engine& engine, RecentOffers& recent, const Snapshot& snapshot,
                        const Options& options, const Budget& budget, const Observer& observer);

}  // namespace heddle
