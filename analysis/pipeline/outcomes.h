// Outcomes: which values variables can have when a program has ended, under a memory model, each with a
// schedule that replays to it.
//
// Threading: as the pipeline.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

struct ProgramOutcome {
  std::vector<int64_t> values;  // of the variables that were asked for, as signed numbers of their size
  std::string schedule;
};

struct OutcomeReport {
  std::string problem;    // why nothing, or not everything, was found out; empty: all outcomes are listed
  bool complete = false;  // no others are possible
  std::vector<ProgramOutcome> outcomes;  // by values
  std::vector<std::string> failures;     // that some execution comes to: messages, each once
};

/// `finals`: names of global variables of at most 8 bytes. Every outcome was replayed.
OutcomeReport findOutcomes(const Snapshot& snapshot, const Options& options,
                           const std::vector<std::string>& finals, const Budget& budget);

}  // namespace heddle
