// Sections: atomic sections. No event of another thread happens between two events of one.
//
// Threading: as the run.
#pragma once

#include "analysis/interp/core/execution_part.h"

namespace heddle {

class Sections : public ExecutionPart {
 public:
  explicit Sections(Execution& run) : ExecutionPart(run) {}

  void begin(Thread& t);
  void end(Thread& t);
  /// The thread goes no further, in the middle of a section: as if the section had not begun.
  void abandon(Thread& t);
  /// The thread that is in a section and cannot go on gives it up. False: there is none.
  bool giveUpBlocked();
  /// The thread's section has read or written these values of the event's cells.
  void noteValues(Thread& t, const std::vector<Value>& values);
  /// What a load would give, if the thread's section has accessed all of it before.
  std::optional<Value> value(Thread& t, const Target& target, unsigned size);
  /// Must be called before an event writes, so that the write can be undone.
  void noteUndo(Thread& t, const Target& target, unsigned size);

  /// The thread must wait: another one is between two events of its section.
  bool excludes(const Thread& t) const { return holder_ && holder_ != &t; }
  /// The thread has executed an event of `section` (0: of none) and has come to its next event.
  void performed(Thread& t, uint32_t section);

 private:
  Thread* holder_ = nullptr;  // between two events of its section
};

}  // namespace heddle
