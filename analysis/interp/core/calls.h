// Calls: entering and leaving functions, and starting modelled calls.
//
// Threading: as the run.
#pragma once

#include "analysis/interp/core/call.h"
#include "analysis/interp/core/execution_part.h"

namespace heddle {

/// Bytes that modelled calls move between two looks at the budget: one call may take as long as many
/// instructions.
inline constexpr uint64_t kOperationsPerLook = 1 << 18;

class Calls : public ExecutionPart {
 public:
  explicit Calls(Execution& run);

  uint64_t stackBytes = 0;  // of all threads' frames and stack objects

  bool enter(Thread& t, FunctionId function, uint32_t pool, uint32_t count, uint32_t returnPc);
  /// Returns from the innermost frame with the slots from `first` on.
  bool leave(Thread& t, uint32_t first, uint32_t count);
  bool callExternal(Thread& t, const Instruction& in, Value* r);
  bool callIndirect(Thread& t, const Instruction& in, Value* r);
  /// The thread's modelled call is done.
  void finish(Thread& t);
  /// Runs a function of the program on behalf of the model that `resume` suspends; its result goes to
  /// `*out`, which must stay where it is.
  void invoke(Thread& t, FunctionId function, std::vector<Value> arguments, std::coroutine_handle<> resume,
              Value* out);
  /// Runs the filler of what lies at the address; then the instruction at the thread's program counter begins
  /// again.
  void fillFirst(Thread& t, uint64_t address, const Filler& filler);
  /// Drops the frames above the first `count`, as if their functions had returned.
  void unwind(Thread& t, size_t count);
  /// Exit handlers or destructors are still to run.
  bool runsHandlers() const;

 private:
  bool startCall(Thread& t, uint32_t external, Value* r, const Instruction& in);
  bool unknownCall(Thread& t, const std::string& name, Value* r, const Instruction& in);
  /// Begins a call that may suspend. False: the thread does not go on with the next instruction now.
  bool startTask(Thread& t, const std::string& name, const ModelledCall& model, const Value* r,
                 const Instruction& in);
  /// What the function is called that an unknown function has returned (Memory::mayBeFunction): "dlsym()".
  const std::string& returnedFunction(uint64_t address);
  std::vector<Value> argumentsOf(const Value* r, const Instruction& in) const;
  void endCallback(Thread& t, const Value& value);
  void endStackObjects(Thread& t, uint32_t first);
  bool holdsLocked(Thread& t, size_t first);  // Execution::endsWhileLocked, for stack objects
  const std::vector<uint64_t>& constants(FunctionId function);

  std::vector<std::vector<uint64_t>> constants_;  // by function, with addresses filled in
  std::vector<bool> constantsReady_;
  std::vector<const ModelledCall*> models_;   // by external
  std::map<ObjectId, std::string> returned_;  // of returnedFunction
  uint64_t moved_ = 0;                        // operations of calls since the stepper was left for a look
};

}  // namespace heddle
