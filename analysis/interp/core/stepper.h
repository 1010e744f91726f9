// Stepper: executes instructions (stepper.cpp on concrete values, stepper_slow.cpp the rest).
//
// Threading: as the run.
#pragma once

#include <array>

#include "analysis/interp/core/execution_part.h"

namespace heddle {

class Stepper : public ExecutionPart {
 public:
  explicit Stepper(Execution& run) : ExecutionPart(run) { cache_.fill(&nothing_); }

  /// Runs the thread up to an event, a call of a model that suspends, a pause, or its end.
  void step(Thread& t);
  /// An arithmetic instruction, also on symbols and undefined values.
  void slowBinary(Thread& t, const Instruction& in, Value* r);
  /// An operation on a symbol and a value that was never written: its bits are those of this run.
  void noteMixed(Thread& t);
  /// The run has paused at the next statement, and must not pause there again.
  void resume() { resumes_ = true; }

 private:
  bool isEqual(Thread& t, uint32_t pc, uint64_t x, uint64_t y);
  // True when the thread goes on with the next instruction.
  bool slowLoad(Thread& t, const Instruction& in, Value* r);
  bool slowStore(Thread& t, const Instruction& in, Value* r);
  bool atomicRmw(Thread& t, const Instruction& in, Value* r);
  bool compareExchange(Thread& t, const Instruction& in, Value* r);
  bool allocate(Thread& t, const Instruction& in, Value* r);
  bool divide(Thread& t, const Instruction& in, Value* r);
  bool shift(Thread& t, const Instruction& in, Value* r);
  uint32_t slowSwitch(Thread& t, const Instruction& in, Value* r);
  bool threadLocal(Thread& t, const Instruction& in, Value* r);
  void floatStep(Thread& t, const Instruction& in, Value* r);
  bool wideStep(Thread& t, const Instruction& in, Value* r);
  bool accessBegin(Thread& t, const Value& address, const Value& root, const Instruction& in, EventKind kind,
                   bool atomic, Target& target, bool& asEvent);

  bool resumes_ = false;
  MemoryObject nothing_;
  std::array<MemoryObject*, 1024> cache_;  // the object an instruction last accessed, by program counter
};

}  // namespace heddle
