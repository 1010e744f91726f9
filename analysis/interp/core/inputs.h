// Inputs: values that the program does not decide, as the sink gives them.
//
// Threading: as the run.
#pragma once

#include "analysis/interp/core/execution_part.h"

namespace heddle {

class Inputs : public ExecutionPart {
 public:
  explicit Inputs(Execution& run) : ExecutionPart(run) {}

  /// A new one. `exactName`: not the name of the variable that the call's result goes to.
  Value fresh(Thread& t, unsigned width, bool isSigned, const std::string& name, bool exactName = false);
  /// The result of the call, which does nothing else.
  Value asResult(Thread& t, unsigned width, bool isSigned, const std::string& name);
  /// What the thread's operation has read from memory that was never written (Environment::undefinedIsInput).
  /// Whatever it is, it stays.
  Value ofUndefined(Thread& t, const Target& target, unsigned size, bool isShared);
  /// A value of one bit: whether something happens that nobody causes. In a replay it does where it did.
  Value happens(Thread& t, uint64_t operation, std::string what);

 private:
  Value fresh(Thread& t, InputRequest request);
  /// Named as the variable that the call's result goes to, if there is one.
  InputRequest request(const Thread& t, unsigned width, bool isSigned, const std::string& name) const;
  Value ask(const InputRequest& request);
};

}  // namespace heddle
