// Synchronization objects: they are variables of the program, and known by their addresses.
#include <algorithm>

#include "analysis/explore/invariants/symbolic_stepper.h"

namespace heddle {

namespace {
constexpr uint64_t kMutexBytes = 40, kConditionBytes = 48, kBarrierBytes = 32;
}  // namespace

/// Nobody else has to do with an object any more, or yet.
bool SymbolicStepper::isAlone(const SymbolicState& state) {
  return std::count_if(state.threads.begin(), state.threads.end(),
                       [](const SymbolicThread& thread) { return thread.isAlive(); }) <= 1;
}

/// Its kind stands in an object's bytes.
bool SymbolicStepper::isPlainVariable(uint64_t address, uint64_t size) const {
  const auto object = static_cast<ObjectNumber>(address >> kObjectBits);
  if (!isGlobal(object)) return false;
  const std::vector<uint8_t>& bytes = program_.globals[object - 1].initializer;
  const uint64_t begin = address - baseOf(object);
  const uint64_t end = std::min<uint64_t>(bytes.size(), begin + size);
  for (uint64_t i = begin; i < end; ++i)
    if (bytes[i] != 0) return false;
  return true;
}

void SymbolicStepper::initMutex(Walk& walk, const Instruction& in) {
  const std::optional<uint64_t> mutex = constantArgument(walk, in, 0, "a mutex");
  if (!mutex) return;
  const bool isInit = program_.externals[in.a] == "pthread_mutex_init";
  if (isInit && constantArgument(walk, in, 1, "a mutex's kind").value_or(1) != 0)
    return refuse("a mutex of another kind");
  if (!isAlone(walk.path.state)) return refuse("a mutex that comes or goes while others run");
  if (walk.path.state.holder(*mutex)) return error(walk, in);
  if (!isInit) unproven_.insert(Property::Misuse);
  give(walk, in, terms_.constant(0, 64));
}

void SymbolicStepper::take(Walk& walk, uint64_t mutex) {
  std::vector<uint64_t>& held = walk.self().held;
  held.insert(std::lower_bound(held.begin(), held.end(), mutex), mutex);
}

void SymbolicStepper::lock(Walk& walk, const Instruction& in) {
  const std::optional<uint64_t> mutex = constantArgument(walk, in, 0, "a mutex");
  if (!mutex) return;
  if (!isPlainVariable(*mutex, kMutexBytes))
    return refuse("a mutex that is of another kind, or no variable of the program");
  take(walk, *mutex);
  give(walk, in, terms_.constant(0, 64));
}

void SymbolicStepper::unlock(Walk& walk, const Instruction& in) {
  const std::optional<uint64_t> mutex = constantArgument(walk, in, 0, "a mutex");
  if (!mutex) return;
  if (std::erase(walk.self().held, *mutex) == 0) return error(walk, in);
  give(walk, in, terms_.constant(0, 64));
}

void SymbolicStepper::initCondition(Walk& walk, const Instruction& in) {
  const std::optional<uint64_t> condition = constantArgument(walk, in, 0, "a condition variable");
  if (!condition) return;
  const bool isInit = program_.externals[in.a] == "pthread_cond_init";
  if (isInit && constantArgument(walk, in, 1, "a condition variable's kind").value_or(1) != 0)
    return refuse("a condition variable of another kind");
  if (!isAlone(walk.path.state)) return refuse("a condition variable that comes or goes while others run");
  if (!isInit) unproven_.insert(Property::Misuse);
  give(walk, in, terms_.constant(0, 64));
}

void SymbolicStepper::wait(Walk& walk, const Instruction& in) {
  const std::optional<uint64_t> condition = constantArgument(walk, in, 0, "a condition variable");
  const std::optional<uint64_t> mutex = constantArgument(walk, in, 1, "a mutex");
  if (!condition || !mutex) return;
  if (!isPlainVariable(*condition, kConditionBytes))
    return refuse("a condition variable that is of another kind, or no variable of the program");
  if (std::erase(walk.self().held, *mutex) == 0) return error(walk, in);
  walk.self().waitsAt = *condition;
  walk.self().retakes = *mutex;
  facts_.record(takingOf(*mutex), walk.path.state, walk.thread, true);
  standAt(walk, StandsAt::Wait);
}

void SymbolicStepper::takeAgain(Walk& walk) {
  SymbolicThread& self = walk.self();
  take(walk, self.retakes);
  self.waitsAt = self.retakes = 0;
  give(walk, program_.code[walk.frame().pc], terms_.constant(0, 64));
  ++walk.frame().pc;
}

void SymbolicStepper::signal(Walk& walk, const Instruction& in) {
  const std::optional<uint64_t> condition = constantArgument(walk, in, 0, "a condition variable");
  if (!condition) return;
  if (!isPlainVariable(*condition, kConditionBytes))
    return refuse("a condition variable that is of another kind, or no variable of the program");
  give(walk, in, terms_.constant(0, 64));
  std::vector<ThreadId> waiting;
  const std::vector<SymbolicThread>& threads = walk.path.state.threads;
  for (ThreadId thread = 0; thread < threads.size(); ++thread)
    if (threads[thread].at == StandsAt::Wait && threads[thread].waitsAt == *condition)
      waiting.push_back(thread);
  const auto wake = [&](Walk& by, ThreadId thread) {
    by.path.state.threads[thread].at = StandsAt::Woken;
    by.path.state.threads[thread].waitsAt = 0;
  };
  if (program_.externals[in.a] == "pthread_cond_broadcast") {
    for (const ThreadId thread : waiting) wake(walk, thread);
    return;
  }
  if (waiting.empty()) return;
  for (size_t i = 1; i < waiting.size(); ++i) {
    Walk other = walk;
    wake(other, waiting[i]);
    ++other.frame().pc;
    open_.push_back(std::move(other));
  }
  wake(walk, waiting.front());
}

void SymbolicStepper::initBarrier(Walk& walk, const Instruction& in) {
  const std::optional<uint64_t> barrier = constantArgument(walk, in, 0, "a barrier");
  if (!barrier) return;
  if (!isPlainVariable(*barrier, kBarrierBytes))
    return refuse("a barrier that is no variable of the program");
  if (!isAlone(walk.path.state)) return refuse("a barrier that comes or goes while others run");
  std::map<uint64_t, uint64_t>& barriers = walk.path.state.barriers;
  if (program_.externals[in.a] == "pthread_barrier_destroy") {
    unproven_.insert(Property::Misuse);
    if (barriers.erase(*barrier) == 0) return error(walk, in);
  } else {
    const std::optional<uint64_t> kind = constantArgument(walk, in, 1, "a barrier's kind");
    const std::optional<uint64_t> count =
        constantArgument(walk, in, 2, "the threads that a barrier waits for");
    if (!kind || !count) return;
    if (*kind != 0 || *count == 0) return refuse("a barrier of another kind");
    if (!barriers.emplace(*barrier, *count).second) return refuse("a barrier that is initialized again");
  }
  give(walk, in, terms_.constant(0, 64));
}

void SymbolicStepper::arrive(Walk& walk, const Instruction& in) {
  const std::optional<uint64_t> barrier = constantArgument(walk, in, 0, "a barrier");
  if (!barrier) return;
  const auto known = walk.path.state.barriers.find(*barrier);
  if (known == walk.path.state.barriers.end()) return error(walk, in);
  walk.self().waitsAt = *barrier;
  if (walk.path.state.arrived(*barrier).size() >= known->second)
    return refuse("more threads than a barrier waits for");
  standAt(walk, StandsAt::Barrier);
}

}  // namespace heddle
