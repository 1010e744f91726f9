// SequentialRun: what a program does when threads switch only where one blocks or ends, or in a seeded
// random order. It serves to compare two versions of a program.
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
  bool ran = false;  // if false, `problem` says why
  std::string problem;
  bool passed = false;  // every thread ended, and nothing failed
  std::string failure;  // if not passed: the first failure, or the threads that wait for ever
  std::string output;   // what the program printed
};

/// `inputs`: by thread label, as in a Schedule. `seed`: of the random order; nullopt: one thread after the
/// other.
SequentialRun runSequentially(const Snapshot& snapshot, const Options& options,
                              const std::map<std::string, std::vector<int64_t>>& inputs,
                              std::optional<uint64_t> seed, const Budget& budget);

}  // namespace heddle
