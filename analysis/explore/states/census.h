// Census: the number of distinct global paths (combinations of the threads' local paths) of a program.
//
// The census works on a complete forest. It asks for a complete execution whose combination is new, runs
// it, excludes the combination, and repeats until there is none. Where there are many, they are divided into
// parts, which are asked side by side (census_part.h). Parts, what each finds, and the order of the runs are
// the same for any number of workers.
//
// Threading: one thread; the exploration's workers run only while they answer questions.
#pragma once

#include "analysis/explore/run/exploration.h"

namespace heddle {

/// Which global paths the census looks for.
enum class CensusOf : uint8_t {
  All,
  Waiting,  // paths that end with a thread that waits for ever
};

/// Executes every global path that no run has taken yet; afterwards result().paths is their number. The
/// forest must be complete. False if the budget ended or something went wrong, which the result then names.
bool takeCensus(Runner& runner, CensusOf which, const Budget& budget);

}  // namespace heddle
