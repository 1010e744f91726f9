// Outcomes: the values that variables can have at the end of a program under a memory model, each with a
// schedule that replays to them.
//
// Threading: as the pipeline.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

struct ProgramOutcome {
  std::vector<int64_t> values;  // values of the variables asked for, as signed numbers of their size
  std::string schedule;
};

struct OutcomeReport {
  std::string problem;    // why there are no outcomes, or not all; empty: all outcomes are listed
  bool complete = false;  // no other outcomes are possible
  std::vector<ProgramOutcome> outcomes;  // by values
  std::vector<std::string> failures;     // messages of the failures that some execution reaches, each once
};

/// `finals`: names of global variables of at most 8 bytes. Every outcome was replayed.
OutcomeReport findOutcomes(const Snapshot& snapshot, const Options& options,
                           const std::vector<std::string>& finals, const Budget& budget);

}  // namespace heddle
