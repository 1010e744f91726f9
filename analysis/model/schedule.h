// Schedule: the printable form of an interleaving with its inputs, "T0*9 T1*4 T0 | T1=3 T2=0,5".
//
// Before the bar: which thread runs, for how many *operations*. An operation of a thread is an executed load,
// store, atomic update or synchronization call of its code, whether or not another thread can see it (a
// memory block operation of n bytes counts n for what it reads and n for what it writes; an access to a heap
// object counts one more, for the look whether it is alive; a thread's start and its end count one each). The
// count is a property of the program text alone, so that a schedule replays without anything an exploration
// found out. After the bar: the values of each thread's inputs in the order in which it asks for them, as
// signed decimal numbers; inputs that are missing are 0. "T1@37=5" is what memory that was never written held
// when the thread read it in its operation 37: which of these reads are inputs depends on what an exploration
// knew to be shared, so they are named, not counted.
//
// Under a weak memory model the order of steps does not say what a load reads. So the model stands behind the
// bar ("c11"), and after it the writes that are not the latest: "T1@37<T2@12", T1 reads in its operation 37
// what T2 wrote in its operation 12; "T1@37<init", it reads what memory held at first; for a store, it comes
// right after the named write in the order of the writes to that memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/model/memory_order.h"

namespace heddle {

/// The name of a list of inputs: of a thread's own, or (`memoryOperation` not 0) of what it read from memory
/// that was never written.
std::string inputLabel(const std::string& thread, uint64_t memoryOperation);

struct ScheduleSegment {
  std::string thread;       // label, see Names::label
  uint64_t operations = 1;  // at least 1
  bool operator==(const ScheduleSegment&) const = default;
};

/// An operation of a thread; no thread: what memory held at first.
struct OperationName {
  std::string thread;
  uint64_t operation = 0;
  auto operator<=>(const OperationName&) const = default;
};

struct Schedule {
  std::vector<ScheduleSegment> segments;
  std::map<std::string, std::vector<int64_t>> inputs;  // by inputLabel
  std::optional<MemoryModelKind> model;                // none: sequential consistency
  /// The write that a load reads or that a store comes right after, by the operation of the load or store;
  /// missing: the latest write.
  std::map<OperationName, OperationName> writes;

  std::string toString() const;
  /// nullopt when `text` is not a schedule; `error` then names the first bad token.
  static std::optional<Schedule> parse(std::string_view text, std::string& error);
  bool operator==(const Schedule&) const = default;
};

}  // namespace heddle
