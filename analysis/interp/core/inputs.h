// Inputs: values that the program does not decide, as the sink gives them.
//
// Threading: as the run.
#pragma once

#include "analysis/interp/core/execution_part.h"

namespace heddle {

class Inputs : public ExecutionPart {
 public:
  explicit Inputs(Execution& run) : ExecutionPart(run) {}

  /// A new input. `exactName`: it is called `name`, and not after the variable that the call's result goes
  /// to.
  Value fresh(Thread& t, unsigned width, bool isSigned, const std::string& name, bool exactName = false);
  /// A new input as the result of a call that does nothing else.
  Value asResult(Thread& t, unsigned width, bool isSigned, const std::string& name);
  /// The input that the thread's operation reads from memory that was never written
  /// (Environment::undefinedIsInput). It is written to the memory, so that later reads give the same value.
  Value ofUndefined(Thread& t, const Target& target, unsigned size, bool isShared);
  /// A value of one bit: whether an event without a cause happens. In a replay it happens where it happened
  /// in the recorded run.
  Value happens(Thread& t, uint64_t operation, std::string what);

 private:
  Value fresh(Thread& t, InputRequest request);
  /// Named as the variable that the call's result goes to, if there is one.
  InputRequest request(const Thread& t, unsigned width, bool isSigned, const std::string& name) const;
  Value ask(const InputRequest& request);
};

}  // namespace heddle
