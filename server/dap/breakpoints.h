// Breakpoints of all kinds, and where a schedule meets them. All hits are found when breakpoints are set, in
// one run through the schedule, so that running on or back is a look into a sorted list.
//
// Threading: one thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/debug/time_travel.h"
#include "protocol/dap.h"

namespace heddle::dap {

struct Hit {
  uint64_t position = 0;
  ThreadId thread = kNone;
  std::string reason;  // as in the protocol: "breakpoint", "data breakpoint", "exception", …
  std::string text;    // what is shown; empty: nothing more
  std::vector<int64_t> ids;
};

class Breakpoints {
 public:
  /// Each replaces all of its kind (of its file); the answers are in the same order.
  std::vector<Breakpoint> setLines(const TimeTravel& travel, const SetBreakpointsArguments& arguments);
  std::vector<Breakpoint> setFunctions(const TimeTravel& travel,
                                       const SetFunctionBreakpointsArguments& arguments);
  std::vector<Breakpoint> setData(TimeTravel& travel, const SetDataBreakpointsArguments& arguments);
  void setExceptions(const std::vector<std::string>& filters);

  /// Finds all hits along the schedule. Must be called after each set, and after the schedule has changed.
  void find(TimeTravel& travel);

  /// The first hit after `from` and before or at `to`; null: none.
  const Hit* after(uint64_t from, uint64_t to) const;
  /// The last hit before `from`; null: none.
  const Hit* before(uint64_t from) const;
  const Hit* at(uint64_t position) const;

  /// "race", "assert", …: the filter that a claim belongs to.
  static std::string filterOf(const Claim& claim);

 private:
  struct Point {
    int64_t id = 0;
    std::set<uint32_t> statements;
    std::string condition;
    std::string reason;
  };
  struct Watch {
    int64_t id = 0;
    uint64_t address = 0, size = 0;
    std::string name;
    bool reads = false, writes = true;
    std::string condition;
  };
  void findWatched(TimeTravel& travel, uint64_t position, Execution& state, const Watch& watch,
                   std::string& before);

  int64_t lastId_ = 0;
  std::map<std::string, std::vector<Point>> lines_;  // by file
  std::vector<Point> functions_;
  std::vector<Watch> watches_;
  std::set<std::string> exceptions_ = {"race", "assert", "deadlock", "memory"};
  std::vector<Hit> hits_;  // by position
};

/// The name by which a client knows a piece of memory. It holds the address, the size in bytes, and what
/// messages call it.
std::string dataIdOf(uint64_t address, uint64_t size, const std::string& name);

}  // namespace heddle::dap
