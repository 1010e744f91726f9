// SequentialRun: what a program does when its threads take turns only where one blocks or ends, or in a
// seeded random order. Two versions of a program are compared by it.
//
// Threading: as analyze().
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

struct SequentialRun {
  bool ran = false;  // else `problem` says why there is nothing to say
  std::string problem;
  bool passed = false;  // every thread ended, and nothing failed
  std::string failure;  // else: the first failure, or who waits for ever
  std::string output;   // what the program printed
};

/// `inputs`: by thread label, as in a Schedule. `seed`: nullopt for one thread after the other.
SequentialRun runSequentially(const Snapshot& snapshot, const Options& options,
                              const std::map<std::string, std::vector<int64_t>>& inputs,
                              std::optional<uint64_t> seed, const Budget& budget);

}  // namespace heddle
