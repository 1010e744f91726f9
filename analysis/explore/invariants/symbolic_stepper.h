// SymbolicStepper: takes steps of one thread on symbolic states: from where it stands to where it stands
// next, once for each way that branches on variables and inputs may go.
//
// It knows part of what programs do, and refuses the rest: problem() then says what. Operations on values
// are those of the interpreter (value_ops.h).
//
// Threading: belongs to one construction.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/explore/invariants/loop_kinds.h"
#include "analysis/explore/invariants/shared_facts.h"
#include "analysis/explore/invariants/symbolic_state.h"
#include "analysis/interp/values/value_ops.h"
#include "analysis/program/program.h"
#include "analysis/property.h"

namespace heddle {

/// On the way from a location.
struct SymbolicPath {
  /// What was found at an offset of an object that nobody changes.
  struct Found {
    ObjectNumber object;
    Term offset;
    unsigned bytes;
    Term value;
  };
  SymbolicState state;
  std::vector<Term> when;
  std::vector<Found> found;
  bool askedToLeave = false;  // it went round in a loop each of whose rounds asks an input whether to leave
};

/// An access that a thread stands before.
struct SymbolicAccess {
  SharedResource resource = 0;
  Term offset = kNoTerm;
  unsigned bytes = 0;
  bool changes = false, isAtomic = false;
};

class SymbolicStepper {
 public:
  /// All must outlive it.
  SymbolicStepper(const Program& program, TermTable& terms, SharedFacts& facts)
      : program_(program), terms_(terms), facts_(facts) {}

  /// Main before its first instruction, on the way to where it first stands.
  SymbolicPath start(FunctionId entry);
  /// Appends what the thread's step makes of the path. Of an enabled step.
  void step(const SymbolicPath& from, ThreadId thread, std::vector<SymbolicPath>& out);
  /// The same for a thread at a barrier at which all threads have arrived. `isSerial`: it is told that it is
  /// the last one.
  void pass(const SymbolicPath& from, ThreadId thread, bool isSerial, std::vector<SymbolicPath>& out);
  /// Nothing blocks the thread. A thread that could only wake spuriously is blocked.
  bool isEnabled(const SymbolicState& state, ThreadId thread);
  /// The thread is enabled, or can wake spuriously.
  bool mayStep(const SymbolicState& state, ThreadId thread);
  /// The thread is in a loop that may go on for ever.
  bool mayWaitInLoop(const SymbolicThread& thread);
  /// nullopt if the thread does not stand before a memory access.
  std::optional<SymbolicAccess> accessOf(const SymbolicState& state, ThreadId thread);

  /// Conditions under which something is violated, by the steps since the last call.
  std::vector<std::vector<Term>> takeViolations() { return std::exchange(violations_, {}); }
  const std::set<Property>& unproven() const { return unproven_; }
  /// Some thread has come to stand at the head of a loop.
  bool hasLoops() const { return hasLoops_; }
  const std::string& problem() const { return problem_; }
  void refuse(std::string why) {
    if (problem_.empty()) problem_ = std::move(why);
  }
  Term negation(Term condition) { return terms_.logicalNot(condition); }

 private:
  struct Place {
    ObjectNumber object = 0;
    Term offset = kNoTerm;
    std::optional<uint64_t> address;  // where the offset is known
  };
  struct Walk {
    SymbolicPath path;
    ThreadId thread = kNone;
    bool isFirst = false;  // it stands before this instruction already
    bool isOver = false;   // it has come to where it stands next, or nothing is left of it
    uint32_t rounds = 0;   // of loops that were gone through at once
    SymbolicThread& self() { return path.state.threads[thread]; }
    SymbolicFrame& frame() { return self().frames.back(); }
    const SymbolicFrame& frame() const { return path.state.threads[thread].frames.back(); }
  };
  using Call = void (SymbolicStepper::*)(Walk&, const Instruction&);
  struct KnownCall;

  void runAll(Walk walk, std::vector<SymbolicPath>& out);
  void run(Walk walk);
  void execute(Walk& walk, const Instruction& in);
  void compute(Walk& walk, const Instruction& in);
  void control(Walk& walk, const Instruction& in);
  void memory(Walk& walk, const Instruction& in);
  void finish(Walk& walk);
  void standAt(Walk& walk, StandsAt at);
  /// Others can tell the step, so the thread stands before it.
  bool isInterleaved(Walk& walk, const Instruction& in);
  const LoopKind& loopOf(uint32_t jumpBack);
  bool ends(const LoopKind& loop);
  void leaveFrame(Walk& walk, const Instruction& in);
  void enterFrame(Walk& walk, FunctionId function, std::vector<Term> arguments);
  void endThread(Walk& walk, StandsAt at);

  Term slot(const Walk& walk, uint32_t number);
  Value value(Term term) const;
  Value valueAt(const Walk& walk, uint32_t number) { return value(slot(walk, number)); }
  void set(Walk& walk, uint32_t number, const Value& value, unsigned width);
  /// The walk goes on where the condition holds; one more begins where not.
  void fork(Walk& walk, Term condition, uint32_t otherwise);
  void assume(Walk& walk, Term condition) {
    if (!terms_.isConst(condition))
      walk.path.when.push_back(condition);
    else if (terms_.constValue(condition) == 0)
      walk.isOver = true;
  }
  /// The condition must not hold; the walk goes on where it does not.
  void require(Walk& walk, Term violated);

  // symbolic_memory.cpp
  ObjectNumber objectOf(const SymbolicPath& path, Term address);
  static uint64_t baseOf(ObjectNumber object) { return uint64_t{object} << kObjectBits; }
  uint64_t constantPart(Term address) const;
  std::optional<Place> resolve(Walk& walk, Term address, unsigned bytes);
  std::optional<Term> sizeOf(const SymbolicState& state, ObjectNumber object);
  SharedResource resourceOf(const Place& place) const;
  Term load(Walk& walk, const Place& place, unsigned bytes);
  void store(Walk& walk, const Place& place, unsigned bytes, Term value);
  std::optional<Term> initialValue(uint64_t address, unsigned bytes) const;
  ObjectNumber newObject(const Walk& walk, uint32_t pc, bool isHeap);
  Term found(Walk& walk, const Place& place, unsigned bytes);
  Term fresh(unsigned bytes) { return terms_.symbol(bytes * 8); }
  bool isGlobal(ObjectNumber object) const { return object >= 1 && object <= program_.globals.size(); }
  uint64_t addressOf(const Relocation& relocation) const;
  static StateKey pathOf(const SymbolicThread& thread);

  // symbolic_calls.cpp
  static const KnownCall* knownCall(std::string_view name);
  const KnownCall* knownCallAt(const Instruction& in) const;
  Term argument(const Walk& walk, const Instruction& in, uint32_t number);
  std::optional<uint64_t> constantArgument(const Walk& walk, const Instruction& in, uint32_t number,
                                           const char* what);
  void give(Walk& walk, const Instruction& in, Term result);
  void external(Walk& walk, const Instruction& in);
  void nothing(Walk& walk, const Instruction& in);
  void input(Walk& walk, const Instruction& in);
  void assumption(Walk& walk, const Instruction& in);
  void check(Walk& walk, const Instruction& in);
  void error(Walk& walk, const Instruction& in);
  void stopProcess(Walk& walk, const Instruction& in);
  void create(Walk& walk, const Instruction& in);
  void join(Walk& walk, const Instruction& in);
  void exitThread(Walk& walk, const Instruction& in);
  void allocate(Walk& walk, const Instruction& in);

  // symbolic_sync.cpp
  static bool isAlone(const SymbolicState& state);
  bool isPlainVariable(uint64_t address, uint64_t size) const;
  void take(Walk& walk, uint64_t mutex);
  void initMutex(Walk& walk, const Instruction& in);
  void lock(Walk& walk, const Instruction& in);
  void unlock(Walk& walk, const Instruction& in);
  void takeAgain(Walk& walk);
  void initCondition(Walk& walk, const Instruction& in);
  void wait(Walk& walk, const Instruction& in);
  void signal(Walk& walk, const Instruction& in);
  void initBarrier(Walk& walk, const Instruction& in);
  void arrive(Walk& walk, const Instruction& in);

  const std::vector<uint32_t>& liveAt(FunctionId function, uint32_t pc);

  const Program& program_;
  TermTable& terms_;
  SharedFacts& facts_;
  std::vector<Walk> open_;
  std::vector<SymbolicPath>* out_ = nullptr;
  std::vector<std::vector<Term>> violations_;
  std::set<Property> unproven_;
  bool hasLoops_ = false;
  std::string problem_;
  std::map<FunctionId, std::vector<std::vector<uint32_t>>> live_;
  struct Block {
    ThreadId thread = kNone;
    StateKey path;
    uint32_t pc = 0;
    bool isHeap = false;
    auto operator<=>(const Block&) const = default;
  };
  std::map<uint32_t, LoopKind> loops_;  // by JumpBack
  std::map<Block, ObjectNumber> numbers_;
  std::map<ObjectNumber, Block> blocks_;
};

}  // namespace heddle
