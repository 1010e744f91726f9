// WaitingLoops: loops that only wait, and where paths of a thread meet again (waiting_loops.cpp;
// docs/awaits.md).
//
// Threading: as the run.
#pragma once

#include "analysis/interp/core/execution_part.h"

namespace heddle {

class WaitingLoops : public ExecutionPart {
 public:
  explicit WaitingLoops(Execution& run);

  void noteEvent(Thread& t);  // `t.next.event` is being executed
  /// The thread did something that another one can tell.
  void hasEffect(Thread& t);
  /// An atomic update was executed that changes memory exactly when `condition` holds.
  void noteEffect(Thread& t, const Value& condition);
  /// The thread has looked at these bytes without an event.
  void noteLook(Thread& t, const Target& target, uint64_t size) {
    if ((t.rounds.watchesLoop || t.rounds.watchesRound) && !isOwn(t, *target.object))
      t.rounds.looks.push_back({target.object, target.offset, size});
  }
  /// False: the thread goes round without an event for ever.
  bool mergePoint(Thread& t, const Instruction& in);
  /// Counts a round of the loop with this counter, unless the loop `isCounted`, to which bounds do not apply.
  /// False: the round is one too many.
  bool countRound(const Thread& t, uint64_t& counter, bool isCounted) const;
  /// Counts a round of a loop without bounds. True: MachineOptions::unroll cuts it here.
  bool passesUnroll(uint64_t& counter);
  /// How often the location was changed.
  uint64_t& version(LocationId location);
  /// Some of these cells have changed since they were seen.
  bool changed(const std::vector<SeenCell>& seen) const;
  /// What the thread waits for: its pending event, or, in an await, what decides whether it goes on.
  Event awaitedEvent(const Thread& t) const;

 private:
  bool roundsWithoutEvents(Thread& t, const Instruction& in);
  void mergeState(Thread& t);
  /// False: the thread waits, and is back where it was.
  bool goesOn(Thread& t, const Instruction& in, const StateKey& state);
  /// The round since `head` gave up a mutex that the thread held there, and not since its last event: without
  /// the round others would not get it (docs/awaits.md, 1).
  bool letsOthersIn(const Thread& t, const LoopHead& head) const;
  /// Why the thread, whose last round was watched, goes round. What it waits for is shared from the next run
  /// on.
  GoesRound judgeLooks(Thread& t);
  void watch(Thread& t, bool& flag);
  /// Some of these cells belong to objects that are defined elsewhere, where any code may write them.
  bool readsOutside(std::span<const SeenCell> reads) const;
  /// Nobody else can write the object, in any execution.
  bool isOwn(const Thread& t, const MemoryObject& object) const;
  /// The thread comes to a head that it has passed, and nothing happened since that tells the rounds apart.
  bool isNothingNew(Thread& t);
  /// The mutex that the thread's last event has acquired, or kNone.
  LocationId takenNow(const Thread& t) const;
  bool markHead(Thread& t, const Instruction& in, const StateKey& state);

  std::vector<uint64_t> versions_;  // by location
  const bool marksHeads_;           // whether loop heads are remembered
};

}  // namespace heddle
