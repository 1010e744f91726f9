// Calls that the program does not define: threads, synchronization, heap, inputs, assumptions.
#include <optional>
#include <stdexcept>

#include <llvm/IR/InstrTypes.h>

#include "tests/reference/machine.h"

namespace heddle::reference {
namespace {

// Below 2^32, for targets with addresses of 32 bits.
constexpr uint64_t kHeapBase = 0x8000'0000, kHeapEach = 0x100'0000, kBlockEach = 0x1000;
constexpr uint64_t kBusy = 16, kAgain = 11, kTimedOut = 110;
constexpr uint64_t kFailed = 0xffff'ffff;  // the int -1

bool startsWith(const std::string& text, const char* prefix) {
  return text.rfind(prefix, 0) == 0;
}

void setSync(State& state, uint64_t address, const Sync& sync) {
  if (sync.free())
    state.syncs.erase(address);
  else
    state.syncs[address] = sync;
}

Sync syncAt(const State& state, uint64_t address) {
  const auto found = state.syncs.find(address);
  return found == state.syncs.end() ? Sync{} : found->second;
}

}  // namespace

Refusal Machine::call(const State& state, size_t t, const llvm::CallBase& call, Successors& out) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee) return fail(state, t, "memory", out);  // the address of no function
  const std::string name = callee->getName().str();
  if (name == "heddle_assume" || name == "__VERIFIER_assume") {
    State next = state;
    next.process = Process::Assumed;
    push(std::move(next), out);
    return Refusal::None;
  }
  if (name == "__assert_fail") return fail(state, t, "assert", out);
  if (name == "exit" || name == "abort") {
    State next = state;
    next.process = Process::Exited;
    push(std::move(next), out);
    return Refusal::None;
  }
  if (startsWith(name, "heddle_input_") || startsWith(name, "__VERIFIER_nondet_")) {
    for (uint64_t input : rules_.inputs) push(done(state, t, input), out);
    return Refusal::None;
  }
  if (startsWith(name, "pthread_mutex_")) return mutexCall(state, t, call, name, out);
  if (startsWith(name, "pthread_cond_")) return conditionCall(state, t, call, name, out);
  if (startsWith(name, "pthread_rwlock_") || startsWith(name, "pthread_barrier_") || startsWith(name, "sem_"))
    return syncCall(state, t, call, name, out);
  if (startsWith(name, "pthread_")) return threadCall(state, t, call, name, out);
  if (name == "malloc" || name == "calloc" || name == "free") return heapCall(state, t, call, name, out);
  throw std::runtime_error("call of " + name);
}

Refusal Machine::threadCall(const State& state, size_t t, const llvm::CallBase& call, const std::string& name,
                            Successors& out) {
  const Thread& thread = state.threads[t];
  // Nothing: it is no thread.
  const auto target = [&]() -> std::optional<size_t> {
    const uint64_t id = argument(thread, call, 0);
    if (id == 0 || id > state.threads.size()) return std::nullopt;
    return id - 1;
  };
  if (name == "pthread_create") {
    const uint64_t place = argument(thread, call, 0);
    if (thread.phase == 0) {
      State next = state;
      const FunctionCode* function = code_.functionAt(argument(thread, call, 2));
      if (!function) return fail(state, t, "memory", out);
      Thread created;
      const size_t id = next.threads.size();
      enter(created, *function, {value(thread, *call.getArgOperand(3))}, kStackBase + id * kStackEach);
      next.threads.push_back(std::move(created));
      advance(next, id);
      next.threads[t].phase = static_cast<uint32_t>(id) + 1;
      push(std::move(next), out);
      return Refusal::None;
    }
    const uint32_t size = code_.layout().getPointerSize();
    State next = done(state, t);
    const Pointer to = resolve(next, place, size);
    if (!to.object) return fail(state, t, "memory", out);
    put(*to.object, to.offset, size, {thread.phase});
    push(std::move(next), out);
    return Refusal::None;
  }
  if (name == "pthread_join") {
    const std::optional<size_t> other = target();
    if (!other) return fail(state, t, "misuse", out);
    const size_t joined = *other;
    if (state.threads[joined].joined || state.threads[joined].detached) return fail(state, t, "misuse", out);
    if (state.threads[joined].status != ThreadStatus::Ended) return Refusal::Waits;
    State next = done(state, t);
    next.threads[joined].joined = true;
    if (const uint64_t place = argument(thread, call, 1)) {
      const uint32_t size = code_.layout().getPointerSize();
      const Pointer to = resolve(next, place, size);
      if (!to.object) return fail(state, t, "memory", out);
      put(*to.object, to.offset, size, {state.threads[joined].result});
    }
    push(std::move(next), out);
    return Refusal::None;
  }
  if (name == "pthread_detach") {
    State next = done(state, t);
    const std::optional<size_t> other = target();
    if (!other || next.threads[*other].detached || next.threads[*other].joined)
      return fail(state, t, "misuse", out);
    next.threads[*other].detached = true;
    push(std::move(next), out);
    return Refusal::None;
  }
  if (name == "pthread_self") {
    push(done(state, t, t + 1), out);
    return Refusal::None;
  }
  if (name == "pthread_exit") {
    State next = state;
    finish(next, t, argument(thread, call, 0));
    push(std::move(next), out);
    return Refusal::None;
  }
  throw std::runtime_error("call of " + name);
}

Refusal Machine::mutexCall(const State& state, size_t t, const llvm::CallBase& call, const std::string& name,
                           Successors& out) {
  const uint64_t mutex = argument(state.threads[t], call, 0);
  const int self = static_cast<int>(t);
  Sync sync = syncAt(state, mutex);
  const auto with = [&](int owner, uint64_t result) {
    State next = done(state, t, result);
    sync.owner = owner;
    setSync(next, mutex, sync);
    push(std::move(next), out);
    return Refusal::None;
  };
  if (name == "pthread_mutex_init" || name == "pthread_mutex_destroy")
    return sync.owner < 0 ? with(-1, 0) : fail(state, t, "misuse", out);
  if (name == "pthread_mutex_lock") return sync.owner < 0 ? with(self, 0) : Refusal::Waits;
  if (name == "pthread_mutex_trylock") return sync.owner < 0 ? with(self, 0) : with(sync.owner, kBusy);
  if (name == "pthread_mutex_timedlock") return sync.owner < 0 ? with(self, 0) : with(sync.owner, kTimedOut);
  if (name == "pthread_mutex_unlock") return sync.owner == self ? with(-1, 0) : fail(state, t, "misuse", out);
  throw std::runtime_error("call of " + name);
}

Refusal Machine::conditionCall(const State& state, size_t t, const llvm::CallBase& call,
                               const std::string& name, Successors& out) {
  const Thread& thread = state.threads[t];
  const uint64_t condition = argument(thread, call, 0);
  if (name == "pthread_cond_init" || name == "pthread_cond_destroy") {
    push(done(state, t), out);
    return Refusal::None;
  }
  if (name == "pthread_cond_signal" || name == "pthread_cond_broadcast") {
    const bool all = name == "pthread_cond_broadcast";
    State next = done(state, t);
    bool anyone = false;
    for (size_t other = 0; other < state.threads.size(); ++other) {
      if (state.threads[other].waitsOn != condition || state.threads[other].woken) continue;
      anyone = true;
      if (all) {
        next.threads[other].woken = true;
      } else {
        State one = done(state, t);
        one.threads[other].woken = true;
        push(std::move(one), out);
      }
    }
    if (all || !anyone) push(std::move(next), out);
    return Refusal::None;
  }
  const bool isTimed = name == "pthread_cond_timedwait";
  const bool timed = isTimed && rules_.timeouts;
  if (!isTimed && name != "pthread_cond_wait") throw std::runtime_error("call of " + name);
  const uint64_t mutex = argument(thread, call, 1);
  Sync sync = syncAt(state, mutex);
  if (thread.phase == 0) {
    if (sync.owner != static_cast<int>(t)) return fail(state, t, "misuse", out);
    State next = state;
    sync.owner = -1;
    setSync(next, mutex, sync);
    next.threads[t].phase = 1;
    next.threads[t].waitsOn = condition;
    push(std::move(next), out);
    return Refusal::None;
  }
  if (thread.phase == 1) {
    const auto go = [&](uint32_t phase) {
      State next = state;
      next.threads[t].phase = phase;
      next.threads[t].waitsOn = 0;
      next.threads[t].woken = false;
      push(std::move(next), out);
    };
    if (thread.woken || rules_.spuriousWakeups) go(2);
    if (!thread.woken && rules_.spuriousWakeups) out.back().optional = true;
    if (timed && !thread.woken) go(3);
    return thread.woken || rules_.spuriousWakeups || timed ? Refusal::None : Refusal::Waits;
  }
  if (sync.owner >= 0) return Refusal::Waits;
  State next = done(state, t, thread.phase == 3 ? kTimedOut : 0);
  sync.owner = static_cast<int>(t);
  setSync(next, mutex, sync);
  push(std::move(next), out);
  return Refusal::None;
}

Refusal Machine::syncCall(const State& state, size_t t, const llvm::CallBase& call, const std::string& name,
                          Successors& out) {
  const Thread& thread = state.threads[t];
  const uint64_t object = argument(thread, call, 0);
  const int self = static_cast<int>(t);
  Sync sync = syncAt(state, object);
  const auto with = [&](uint64_t result) {
    State next = done(state, t, result);
    setSync(next, object, sync);
    push(std::move(next), out);
    return Refusal::None;
  };
  if (name == "sem_init") {
    // One more than the value, so that an empty semaphore is none that was never made.
    sync.count = static_cast<uint32_t>(argument(thread, call, 2)) + 1;
    return with(0);
  }
  if (startsWith(name, "sem_") && sync.count == 0) return fail(state, t, "misuse", out);
  if (name == "sem_wait") {
    if (sync.count == 1) return Refusal::Waits;
    --sync.count;
    return with(0);
  }
  if (name == "sem_trywait") {
    if (sync.count == 1) return with(kFailed);
    --sync.count;
    return with(0);
  }
  if (name == "sem_post") {
    ++sync.count;
    return with(0);
  }
  if (name == "sem_getvalue") {
    State next = done(state, t);
    const Pointer to = resolve(next, argument(thread, call, 1), 4);
    if (!to.object) return fail(state, t, "memory", out);
    put(*to.object, to.offset, 4, {sync.count - 1});
    push(std::move(next), out);
    return Refusal::None;
  }
  if (name == "pthread_barrier_init") {
    sync.count = static_cast<uint32_t>(argument(thread, call, 2));
    return with(0);
  }
  if (name == "pthread_barrier_wait") {
    if (sync.count == 0) return fail(state, t, "misuse", out);
    if (thread.phase == 0) {
      State next = state;
      const bool last = ++sync.arrived == sync.count;
      if (last) {
        sync.arrived = 0;
        next = done(state, t, kFailed);  // the serial thread's PTHREAD_BARRIER_SERIAL_THREAD
        for (Thread& other : next.threads)
          if (other.waitsOn == object) other.woken = true;
      } else {
        next.threads[t].phase = 1;
        next.threads[t].waitsOn = object;
      }
      setSync(next, object, sync);
      push(std::move(next), out);
      return Refusal::None;
    }
    if (!thread.woken) return Refusal::Waits;
    push(done(state, t), out);
    return Refusal::None;
  }
  const bool tries = startsWith(name, "pthread_rwlock_try");
  if (name == "pthread_rwlock_rdlock" || name == "pthread_rwlock_tryrdlock") {
    if (sync.owner >= 0) return tries ? with(kBusy) : Refusal::Waits;
    ++sync.readers[self];
    return with(0);
  }
  if (name == "pthread_rwlock_wrlock" || name == "pthread_rwlock_trywrlock") {
    if (sync.owner >= 0 || !sync.readers.empty()) return tries ? with(kBusy) : Refusal::Waits;
    sync.owner = self;
    return with(0);
  }
  if (name == "pthread_rwlock_unlock") {
    if (sync.owner == self)
      sync.owner = -1;
    else if (const auto own = sync.readers.find(self); own == sync.readers.end())
      return fail(state, t, "misuse", out);
    else if (--own->second == 0)
      sync.readers.erase(own);
    return with(0);
  }
  throw std::runtime_error("call of " + name);
}

Refusal Machine::heapCall(const State& state, size_t t, const llvm::CallBase& call, const std::string& name,
                          Successors& out) {
  const Thread& thread = state.threads[t];
  if (name == "free") {
    const uint64_t address = argument(thread, call, 0);
    State next = done(state, t);
    if (address == 0) {
      push(std::move(next), out);
      return Refusal::None;
    }
    for (Object& object : next.objects)
      if (object.base == address && object.region == Region::Heap && !object.freed) {
        object.freed = true;
        object.freedBy = static_cast<uint32_t>(t);
        object.bytes.assign(object.bytes.size(), 0);
        object.undefined.assign(object.bytes.size(), 1);
        push(std::move(next), out);
        return Refusal::None;
      }
    return fail(state, t, "memory", out);
  }
  const bool zeroed = name == "calloc";
  const uint64_t size = argument(thread, call, 0) * (zeroed ? argument(thread, call, 1) : 1);
  if (rules_.reuseAddresses)
    for (size_t i = 0; i < state.objects.size(); ++i)
      if (state.objects[i].freed && state.objects[i].freedBy == t && state.objects[i].bytes.size() == size) {
        State next = done(state, t, state.objects[i].base);
        next.objects[i].freed = false;
        next.objects[i].freedBy = 0;
        next.objects[i].undefined.assign(size, !zeroed);
        push(std::move(next), out);
      }
  const uint64_t base = kHeapBase + t * kHeapEach + thread.allocations * kBlockEach;
  State next = done(state, t, base);
  ++next.threads[t].allocations;
  Object object;
  object.base = base;
  object.region = Region::Heap;
  object.bytes.assign(size, 0);
  object.undefined.assign(size, !zeroed);
  auto behind = next.objects.begin();
  while (behind != next.objects.end() && behind->base < base) ++behind;
  next.objects.insert(behind, std::move(object));
  push(std::move(next), out);
  return Refusal::None;
}

int Machine::waitsFor(const State& state, size_t t) {
  const Thread& thread = state.threads[t];
  if (thread.status == ThreadStatus::Ended) return -1;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&at(thread));
  if (!call || !call->getCalledFunction()) return -1;
  const llvm::StringRef name = call->getCalledFunction()->getName();
  if (name == "pthread_mutex_lock") return syncAt(state, argument(thread, *call, 0)).owner;
  if (name == "pthread_join") {
    const uint64_t id = argument(thread, *call, 0);
    const bool waits =
        id && id <= state.threads.size() && state.threads[id - 1].status != ThreadStatus::Ended;
    return waits ? static_cast<int>(id) - 1 : -1;
  }
  return -1;
}

}  // namespace heddle::reference
