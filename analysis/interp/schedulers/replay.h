// ReplayScheduler: follows a schedule, then goes on without one until nothing can go on.
//
// A segment runs its thread's events as long as their operation counts lie within what the segment covers.
// After the last segment the thread of that segment goes on while it can, then the others in order.
#pragma once

#include <map>
#include <set>
#include <string>

#include "analysis/interp/core/scheduler.h"
#include "analysis/model/names.h"
#include "analysis/model/schedule.h"

namespace heddle {

class ReplayScheduler : public Scheduler {
 public:
  /// `names` turns the labels of the schedule into threads; it must be the machine's. With `thenStop`, the
  /// run ends where the schedule ends.
  ReplayScheduler(const Names& names, Schedule schedule, bool thenStop = false)
      : names_(names), schedule_(std::move(schedule)), thenStop_(thenStop) {}

  std::optional<ThreadId> next(std::span<const Event* const> enabled) override;

  size_t choose(const Event& event, std::span<const WriteChoice> writes) override;

  /// The whole schedule was followed; what is picked now comes after it.
  bool finished() const { return segment_ >= schedule_.segments.size(); }

  /// The first segment that could not be followed: "segment 3 (T2*4): T2 cannot go on". Empty if none. A
  /// thread that stands before an event beyond its segment is no divergence: what was an event for the
  /// recorder need not be one here.
  const std::string& divergence() const { return divergence_; }

 private:
  /// `inSection`: only the thread chosen last can go on, in the middle of an atomic section.
  std::optional<ThreadId> follow(std::span<const Event* const> enabled, bool inSection);
  std::optional<ThreadId> afterSchedule(std::span<const Event* const> enabled);

  const Names& names_;
  Schedule schedule_;
  bool thenStop_;
  size_t segment_ = 0;
  std::map<std::string, uint64_t> covered_;  // operations of the segments up to and including the current one
  bool entered_ = false;                     // the current segment's operations are in `covered_`
  std::set<std::string> seen_;               // threads that were enabled at some step
  std::map<std::string, std::pair<uint64_t, std::string>> left_;  // thread → operations not executed, segment
  ThreadId last_ = kNone;
  uint32_t section_ = 0;  // of the event that was chosen last
  std::string divergence_;
};

}  // namespace heddle
