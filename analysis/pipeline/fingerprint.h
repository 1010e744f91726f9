// Fingerprint: a number that distinguishes explorations whose runs must not be mixed. It depends on the
// program as it is executed and on the options that determine what a run is.
#pragma once

#include <cstdint>

#include "analysis/explore/run/exploration.h"
#include "analysis/pipeline/pipeline.h"

namespace heddle {

/// FNV-1a, 64 bits. The same in every process and on every machine of this byte order.
uint64_t fingerprint(const Program& program, const Snapshot& snapshot, const Options& options,
                     const ExploreOptions& exploreOptions);

}  // namespace heddle
