// Census: how many distinct global paths (combinations of the threads' local paths) a program has.
//
// Over a complete forest: asks for a complete execution whose combination is new, runs it, excludes it, and
// repeats until there is none.
//
// Threading: one thread.
#pragma once

#include "analysis/explore/run/exploration.h"

namespace heddle {

/// Which global paths the census looks for.
enum class CensusOf : uint8_t {
  All,
  Waiting,  // those that end with a thread that waits for ever
};

/// Executes every global path that no run has taken yet; afterwards result().paths is their number. The
/// forest must be complete. False when the budget ended or something went wrong (then the result says what).
bool takeCensus(Runner& runner, CensusOf which, const Budget& budget);

}  // namespace heddle
