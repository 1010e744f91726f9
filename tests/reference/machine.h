// Machine: the steps of a program, one thread at a time, sequentially consistent.
//
// The judge of the engine: it shares no code with it, computes with numbers only, and prefers being simple to
// being fast. Between two steps every thread that runs stands before a *visible* instruction: one that
// another thread can notice, that can fail, or that asks for an input. What is not visible belongs to the
// step before it.
//
// What it does not know makes it throw std::runtime_error; it never guesses.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/reference/code.h"
#include "tests/reference/state.h"

namespace heddle::reference {

/// Where the stack of thread t begins: kStackBase + t * kStackEach.
inline constexpr uint64_t kStackBase = 0x4000'0000, kStackEach = 0x100'0000;

struct Rules {
  bool spuriousWakeups = true;  // a wait on a condition may end without a signal
  bool timeouts = true;         // a timed wait on a condition may end without a signal
  bool weakFailures = true;     // a weak compare-exchange may fail with equal values
  bool reuseAddresses = true;   // an allocation may get the address of one of its size that was freed
  std::vector<uint64_t> inputs = {0, 1, 2, 3};  // what an input may be
};

/// A failure: its kind is the name of a property, its line that of the instruction.
using Failure = std::pair<std::string, unsigned>;

/// What an instruction does with memory.
struct Access {
  uint64_t address = 0;
  uint32_t size = 0;
  bool write = false;
  bool atomic = false;
  bool wild = false;  // the address was never written
  unsigned line = 0;
};

/// One way to make the next step of a thread.
struct Successor {
  State state;
  std::vector<Access> accesses;  // in order; several for an atomic section
  bool section = false;
  bool optional = false;  // it may happen, but nobody may rely on it: a wait that ends without a signal
};

/// Why a thread has no successor.
enum class Refusal : uint8_t { None, Waits, Assumption };

class Machine {
 public:
  Machine(const ProgramCode& code, Rules rules) : code_(code), rules_(std::move(rules)) {}

  /// Main before its first visible instruction.
  State start();
  /// All ways to make the next step of thread `t` of a state that runs.
  Refusal step(const State& state, size_t t, std::vector<Successor>& out);
  /// The access that thread `t` makes next; none where it does something else or is about to begin a section.
  std::optional<Access> nextAccess(const State& state, size_t t);
  bool beginsSection(const State& state, size_t t) const;
  /// The thread that `t` waits for: it holds the lock, or is to be joined. -1: none.
  int waitsFor(const State& state, size_t t);
  const std::set<Failure>& failures() const { return failures_; }

 private:
  struct Pointer {
    Object* object = nullptr;
    uint64_t offset = 0;
  };
  using Successors = std::vector<Successor>;

  const llvm::Instruction& at(const Thread& thread) const;
  bool isVisible(const State& state, size_t t) const;
  void advance(State& state, size_t t);
  /// An instruction that no other thread notices and that cannot fail.
  void quiet(State& state, size_t t, const llvm::Instruction& instruction);
  Refusal execute(const State& state, size_t t, Successors& out);
  Refusal effect(const State& state, size_t t, const llvm::Instruction& instruction, Successors& out);
  Refusal section(const State& state, size_t t, std::vector<Access> accesses, Successors& out);

  Refusal memory(const State& state, size_t t, const llvm::Instruction& instruction, Successors& out);
  Refusal block(const State& state, size_t t, const llvm::CallBase& call, Successors& out);
  Refusal call(const State& state, size_t t, const llvm::CallBase& call, Successors& out);
  Refusal threadCall(const State& state, size_t t, const llvm::CallBase& call, const std::string& name,
                     Successors& out);
  Refusal mutexCall(const State& state, size_t t, const llvm::CallBase& call, const std::string& name,
                    Successors& out);
  Refusal conditionCall(const State& state, size_t t, const llvm::CallBase& call, const std::string& name,
                        Successors& out);
  Refusal syncCall(const State& state, size_t t, const llvm::CallBase& call, const std::string& name,
                   Successors& out);
  Refusal heapCall(const State& state, size_t t, const llvm::CallBase& call, const std::string& name,
                   Successors& out);

  Value value(const Thread& thread, const llvm::Value& operand) const;
  uint64_t argument(const Thread& thread, const llvm::CallBase& call, unsigned i) const;
  Value computed(const Thread& thread, const llvm::Instruction& instruction) const;
  void set(Thread& thread, const llvm::Instruction& instruction, Value value) const;
  void jump(Thread& thread, const llvm::BasicBlock& to) const;
  void enter(Thread& thread, const FunctionCode& function, const std::vector<Value>& arguments,
             uint64_t stackTop) const;
  /// Gives back the frame's variables.
  void leave(State& state, size_t t, std::optional<Value> result) const;
  void finish(State& state, size_t t, uint64_t result) const;

  Pointer resolve(State& state, uint64_t address, uint32_t size) const;
  const Object* objectAt(const State& state, uint64_t address, uint32_t size) const;
  std::optional<Access> accessOf(const State& state, const Thread& thread,
                                 const llvm::Instruction& instruction) const;
  /// The state with the call done, its result set; the thread stands behind it.
  State done(const State& state, size_t t, uint64_t result = 0);
  static void push(State state, Successors& out);
  Refusal fail(const State& state, size_t t, const std::string& kind, Successors& out);
  static unsigned lineOf(const llvm::Instruction& instruction);

  const ProgramCode& code_;
  Rules rules_;
  std::set<Failure> failures_;
};

}  // namespace heddle::reference
