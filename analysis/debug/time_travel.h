// TimeTravel: every position along one schedule of a program, forwards and backwards.
//
// A position is a number from 0 to end(): position i is right before stops()[i], the start of a line or the
// execution of an event; end() is where nothing can go on any more. One run records the stops; the state at a
// position is made by running again from the start (or on from where the last question left the machine),
// which gives the same state each time: a run is a function of the schedule.
//
// Threading: one thread at a time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/interp/core/execution.h"
#include "analysis/pipeline/pipeline.h"
#include "analysis/pipeline/prepare.h"
#include "analysis/pipeline/replay_run.h"

namespace heddle {

/// What comes next at a position.
struct Stop {
  ThreadId thread = kNone;
  PlaceId place = kNone;
  uint32_t statement = kNone;  // number in Program::statements; kNone: an event in the middle of one
  uint32_t depth = 0;          // frames of the thread; 0: it is about to start
  uint64_t frame = 0;          // number of the innermost frame within the thread
  uint32_t events = 0;         // executed before
};

/// Where the run shows what is wrong.
struct Claim {
  uint64_t position = 0;
  ThreadId thread = kNone;  // kNone: no single one
  Property kind = Property::Assert;
  std::string message;
  SourcePlace place;
};

class TimeTravel {
 public:
  /// More stops are not recorded: about 40 bytes each.
  static constexpr size_t kMostStops = 4'000'000;

  /// `problem` is set to one line, and the result null, if the schedule cannot be followed or there is no
  /// program. `prepared` must have statements.
  static std::unique_ptr<TimeTravel> open(std::shared_ptr<const PreparedProgram> prepared,
                                          const std::string& text, const Schedule& schedule,
                                          const Budget& budget, std::string& problem);
  ~TimeTravel();
  TimeTravel(const TimeTravel&) = delete;
  TimeTravel& operator=(const TimeTravel&) = delete;

  const Program& program() const { return *prepared_->program; }
  const Names& names() const { return names_; }
  const Locations& locations() const { return locations_; }
  const std::vector<Stop>& stops() const { return stops_; }
  uint64_t end() const { return stops_.size(); }
  SourcePlace place(const Stop& stop) const;
  const std::vector<Claim>& claims() const { return claims_; }
  const std::vector<Step>& steps() const { return steps_; }  // one per event, in order
  const std::vector<UsedInput>& inputs() const { return inputs_; }
  /// The schedule of the whole run, which may go on where the given one ends.
  const Schedule& schedule() const { return schedule_; }

  /// The state at a position; valid until the next call. Every position can be reached.
  Execution& at(uint64_t position);
  uint64_t position() const;

  /// Runs through the positions [from, to], each with its state, until `visit` says false.
  using Visit = std::function<bool(uint64_t position, Execution& state)>;
  void walk(uint64_t from, uint64_t to, const Visit& visit);

  /// The same run up to the position, then `thread`, then any thread that can go on. Null: `problem` is one
  /// line.
  std::unique_ptr<TimeTravel> switchTo(uint64_t position, ThreadId thread, const Budget& budget,
                                       std::string& problem);

 private:
  class Cursor;
  TimeTravel(std::shared_ptr<const PreparedProgram> prepared, std::string text, const Schedule& schedule,
             bool everyAccess);
  bool record(const Budget& budget, std::string& problem);
  void placeClaims(const ReplayRun& run);

  std::shared_ptr<const PreparedProgram> prepared_;
  const std::string text_;  // of the analysed file
  const Schedule given_;
  Schedule schedule_;
  Names names_;
  Locations locations_;  // with all that the recording has learned: no later run is surprised
  std::vector<Stop> stops_;
  std::map<std::pair<ThreadId, uint64_t>, uint64_t> eventStops_;  // by thread and operation
  std::vector<UsedInput> inputs_;
  std::vector<Claim> claims_;
  std::vector<Step> steps_;
  std::unique_ptr<Cursor> cursor_;
};

}  // namespace heddle
