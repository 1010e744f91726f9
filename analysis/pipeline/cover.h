// cover(): inputs and schedules that take each side of each branch, as con2colic testing means it: a suite of
// schedules that replay, and for each side whether it is covered, cannot be, or is open.
//
// A side counts as covered when the *replay* of an entry of the suite takes it: nothing that an exploration
// says is believed. It cannot be covered when an exploration ended that left nothing out and that never came
// there. Everything else is open.
//
// Threading: as analyze().
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

enum class SideState : uint8_t { Covered, CannotBe, Open };
/// "covered", "cannot be", "open".
const char* toString(SideState state);

struct CoverSide {
  SourcePlace place;       // of the branch
  std::string text;        // "true", "false", "case 1, 2", "default"
  uint32_t branch = 0;     // sides with one number belong to one branch
  bool isFailure = false;  // an assertion's failure: it is no part of the counts
  SideState state = SideState::Open;
  std::vector<uint32_t> by;  // entries of the suite, from 0
};

struct CoverFunction {
  std::string name;
  SourcePlace place;
  uint32_t hits = 0;  // entries of the suite that call it
};

struct SuiteEntry {
  std::string schedule;  // with the inputs; `heddle replay` follows it
  std::string fails;     // what the replay shows: a failure, threads that wait for ever; empty: nothing
  uint32_t sides = 0;    // that it covers, failures of assertions left out
};

struct CoverReport {
  std::vector<SuiteEntry> suite;
  std::vector<CoverSide> sides;  // by function and place in the program
  std::vector<CoverFunction> functions;
  bool complete = false;            // nothing was left out: what is not covered cannot be
  std::vector<std::string> limits;  // why something may be open: bounds, assumptions, the budget
  std::string problem;              // why there is nothing: it does not compile, or the like; empty: fine
  uint64_t executions = 0;
  double seconds = 0;

  /// Failures of assertions left out.
  uint32_t count(SideState state) const;
};

/// Sides that are covered so far, of how many; failures of assertions left out.
struct CoverProgress {
  uint32_t covered = 0;
  uint32_t sides = 0;
};
/// Takes away what lies behind line `lines` of the file: a harness, which is not the user's text.
void takeBeyondAway(CoverReport& report, const std::string& file, size_t lines);

using CoverObserver = std::function<void(const CoverProgress&)>;

/// Of `options` the entry, the solver and the number of workers count. Explores by interferences first
/// (con2colic), then by what is left (forest), until nothing is open or the budget ends. `observer` hears of
/// each run that covers something new, from the calling thread's exploration.
CoverReport cover(const Snapshot& snapshot, const Options& options, const Budget& budget,
                  const CoverObserver& observer = {});

}  // namespace heddle
