// Anchored schedules: where threads take turns, said by the text and not by counts of operations, so that an
// edit elsewhere does not make a schedule another one. Saved findings are kept so (`heddle save`).
//
// A turn ends with a step that its thread executes: the nth of this kind at lines of this text in this
// function. Followed in another text, each thread runs on to where its turn ended, and the schedule that
// comes of it is replayed as any other. So nothing here judges: a failure is what that replay shows.
//
// Schedules under a weak memory model are kept as they are; their reads have no anchors.
//
// Threading: pure functions of their arguments, any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

struct Turn {
  std::string thread;    // label, as in Schedule
  std::string function;  // of the step that ends it
  std::string text;      // the line there, without blanks at its ends; empty: of a file that is not at hand
  std::string kind;      // toString(EventKind)
  uint32_t nth = 1;      // of such steps of the thread, from 1
  bool operator==(const Turn&) const = default;
};

/// The inputs of a name of a thread are given in order.
struct NamedInput {
  std::string thread;
  std::string name;  // of the variable, or the function that was called
  int64_t value = 0;
  bool operator==(const NamedInput&) const = default;
};

struct AnchoredSchedule {
  std::string schedule;  // as it was, see Schedule
  std::vector<Turn> turns;
  std::vector<NamedInput> inputs;
  bool operator==(const AnchoredSchedule&) const = default;
};

/// `problem` is set to one line where the schedule cannot be followed; else it is empty.
AnchoredSchedule anchor(const Snapshot& snapshot, const Options& options, const std::string& schedule,
                        const Budget& budget, std::string& problem);

struct FollowedSchedule {
  enum class How : uint8_t {
    Followed,    // to its end: `replayed` is of `schedule`
    Impossible,  // a thread cannot go on to where its turn ends: it waits, or another one has to go first
    Lost,        // the text where a turn ends is gone, or never reached
  };
  How how = How::Lost;
  std::string why;       // one line, unless Followed
  SourcePlace place;     // Impossible: where the thread waits
  std::string schedule;  // of this text
  ReplayResult replayed;
};

/// Follows each in the text of the snapshot, which is compiled once. `problem`: as above, of the program.
void followEach(const Snapshot& snapshot, const Options& options,
                const std::vector<AnchoredSchedule>& schedules, const Budget& budget, std::string& problem,
                const std::function<void(size_t index, const FollowedSchedule&)>& seen);

}  // namespace heddle
