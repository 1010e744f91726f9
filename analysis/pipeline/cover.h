// cover(): inputs and schedules that take each side of each branch, in the sense of con2colic testing. The
// result is a suite of schedules that replay, and for each side whether it is covered, cannot be covered,
// or is open.
//
// A side counts as covered if the *replay* of an entry of the suite takes it; the exploration's word is not
// enough. A side cannot be covered if an exploration that left nothing out has ended and never reached it.
// Every other side is open.
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
  uint32_t branch = 0;     // sides with the same number belong to one branch
  bool isFailure = false;  // the failure of an assertion, which does not count
  SideState state = SideState::Open;
  std::vector<uint32_t> by;  // entries of the suite, from 0
};

struct CoverFunction {
  std::string name;
  SourcePlace place;
  uint32_t hits = 0;  // entries of the suite that call it
};

struct SuiteEntry {
  std::string schedule;  // the schedule with its inputs; `heddle replay` follows it
  std::string fails;     // what the replay shows: a failure or threads that wait for ever; empty: neither
  uint32_t sides = 0;    // number of sides that it covers, without failures of assertions
};

struct CoverReport {
  std::vector<SuiteEntry> suite;
  std::vector<CoverSide> sides;  // by function and place in the program
  std::vector<CoverFunction> functions;
  bool complete = false;            // nothing was left out, so what is not covered cannot be covered
  std::vector<std::string> limits;  // why sides may be open: bounds, assumptions, the budget
  std::string problem;  // why there is no result, for example because the program does not compile; empty:
                        // there is one
  uint64_t executions = 0;
  double seconds = 0;

  /// The number of sides in this state, without failures of assertions.
  uint32_t count(SideState state) const;
};

/// The number of sides covered so far, and of all sides; both without failures of assertions.
struct CoverProgress {
  uint32_t covered = 0;
  uint32_t sides = 0;
};
/// Removes what lies after line `lines` of the file: a harness, which is not the user's text.
void takeBeyondAway(CoverReport& report, const std::string& file, size_t lines);

using CoverObserver = std::function<void(const CoverProgress&)>;

/// Only the entry, the solver and the number of workers of `options` are used. Explores by interferences
/// first (con2colic), then explores what is left (forest), until nothing is open or the budget ends.
/// `observer` is called on the calling thread after each run that covers something new.
CoverReport cover(const Snapshot& snapshot, const Options& options, const Budget& budget,
                  const CoverObserver& observer = {});

}  // namespace heddle
