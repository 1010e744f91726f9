// SpuriousEvents: events without a cause (such as wakeups without a signal), and where they change nothing
// (spurious_events.cpp).
//
// Threading: as the run.
#pragma once

#include "analysis/interp/core/execution_part.h"

namespace heddle {

/// Where a thread would come to, without an event, if the instruction at its pc gave certain values.
enum class Ahead : uint8_t {
  Unknown,  // to an event, or too far
  Same,     // to where it stands, or to the head of a loop that it has passed with no effect since, in the
            // state in which it stood there
  Other,    // there, in another state
};

struct LookAhead {
  Ahead where = Ahead::Unknown;
  LocationId taken = kNone;  // LoopHead::taken of that head
};

class SpuriousEvents : public ExecutionPart {
 public:
  explicit SpuriousEvents(Execution& run) : ExecutionPart(run) {}

  LookAhead lookAhead(Thread& t, std::span<const Value> results);
  bool isCounted(const Thread& t, const LookAhead& ahead) const;
  /// Whether an event without a cause may happen here. False: it has happened twice in a row, and the thread
  /// changes something each time; the bound is noted.
  bool mayHappen(Thread& t, bool isCounted, BoundKind bound);
  void noteHappened(Thread& t, bool isCounted, bool happened);
  /// Whether the weak compare-exchange at the thread's pc fails without reason: a value of one bit.
  Value weakFailure(Thread& t, const Value& expected, uint64_t operation);
  /// A plain access that was an event.
  void noteRecent(Thread& t, const Target& target, unsigned size, const Value& value);

 private:
  const LoopHead* headHere(const Thread& t) const;
  bool stepAhead(Thread& t, const Instruction& in);
  bool returnAhead(Thread& t, const Instruction& in);
};

}  // namespace heddle
