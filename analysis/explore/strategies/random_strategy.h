// Random: any enabled thread with equal probability and random inputs, run after run, from an explicit seed,
// until the budget ends. Finds shallow bugs; proves nothing.
#pragma once

#include "analysis/explore/run/exploration.h"

namespace heddle {

void exploreRandomly(Runner& runner, const Budget& budget);

}  // namespace heddle
