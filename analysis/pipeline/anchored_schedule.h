// Anchored schedules: schedules in which the text, and not a count of operations, says where threads take
// turns. So an edit elsewhere does not change them. Saved findings have this form (`heddle save`).
//
// A turn ends with a step of its thread: the nth step of this kind at lines with this text in this
// function. To follow the schedule in another text, each thread runs on to where its turn ended. The
// resulting schedule is replayed like any other. So this module does not judge: only the replay shows a
// failure.
//
// Schedules under a weak memory model are kept unchanged, because their reads have no anchors.
//
// Threading: pure functions; any thread may call them.
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
  std::string text;      // the line there, without white space at its ends; empty: its file is not available
  std::string kind;      // toString(EventKind)
  uint32_t nth = 1;      // number of this step among such steps of the thread, from 1
  bool operator==(const Turn&) const = default;
};

/// An input. Inputs of one thread with one name are given in order.
struct NamedInput {
  std::string thread;
  std::string name;  // of the variable, or the function that was called
  int64_t value = 0;
  bool operator==(const NamedInput&) const = default;
};

struct AnchoredSchedule {
  std::string schedule;  // the original schedule, see Schedule
  std::vector<Turn> turns;
  std::vector<NamedInput> inputs;
  bool operator==(const AnchoredSchedule&) const = default;
};

/// `problem` is set to one line if the schedule cannot be followed; otherwise it is empty.
AnchoredSchedule anchor(const Snapshot& snapshot, const Options& options, const std::string& schedule,
                        const Budget& budget, std::string& problem);

struct FollowedSchedule {
  enum class How : uint8_t {
    Followed,    // it was followed to its end; `replayed` is the replay of `schedule`
    Impossible,  // a thread cannot reach the end of its turn: it waits, or another thread has to go first
    Lost,        // the text where a turn ends is gone, or it is never reached
  };
  How how = How::Lost;
  std::string why;       // one line, unless Followed
  SourcePlace place;     // Impossible: where the thread waits
  std::string schedule;  // the schedule for this text
  ReplayResult replayed;
};

/// Follows each schedule in the text of the snapshot, which is compiled once. `problem`: one line if the
/// program cannot be run; otherwise empty. `seen` is called for each schedule in turn.
void followEach(const Snapshot& snapshot, const Options& options,
                const std::vector<AnchoredSchedule>& schedules, const Budget& budget, std::string& problem,
                const std::function<void(size_t index, const FollowedSchedule&)>& seen);

}  // namespace heddle
