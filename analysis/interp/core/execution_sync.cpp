// Synchronization objects and their rules, wake-ups of condition variables, atomic sections; who waits for
// ever.
#include "analysis/interp/core/execution.h"

#include <algorithm>

namespace heddle {

namespace {

/// Gives `wake` a signal of its own, moving others to other signals where that helps (augmenting paths).
bool assign(size_t wake, const std::vector<ConditionState::Interval>& wakes,
            const std::vector<uint64_t>& signals, std::vector<size_t>& owner, std::vector<bool>& tried) {
  constexpr size_t kNobody = static_cast<size_t>(-1);
  for (size_t s = 0; s < signals.size(); ++s) {
    if (tried[s] || signals[s] <= wakes[wake].since || signals[s] >= wakes[wake].until) continue;
    tried[s] = true;
    if (owner[s] == kNobody || assign(owner[s], wakes, signals, owner, tried)) {
      owner[s] = wake;
      return true;
    }
  }
  return false;
}

}  // namespace

bool ConditionState::canWake(uint64_t since, uint64_t now) const {
  if (lastBroadcast > since) return true;
  if (signals.empty() || signals.back() <= since) return false;
  std::vector<Interval> wakes = woken;
  wakes.push_back({since, now});
  std::vector<size_t> owner(signals.size(), static_cast<size_t>(-1));
  for (size_t i = 0; i < wakes.size(); ++i) {
    std::vector<bool> tried(signals.size(), false);
    if (!assign(i, wakes, signals, owner, tried)) return false;
  }
  return true;
}

void ConditionState::wake(uint64_t since, uint64_t now) {
  if (lastBroadcast <= since) woken.push_back({since, now});
}

bool Execution::isWaitedFor(const SyncObject& object) {
  ConditionState after = object.condition;  // once all who can have been woken
  for (const auto& t : threads_) {
    if (!t->next.isGiven || t->next.sync != &object) continue;
    if (t->next.event.rule && !sync.guardHolds(*t->next.event.rule, t->next.event.operand, object))
      return true;
    if (t->next.event.rule || t->next.event.kind != EventKind::Wake) continue;
    if (!after.canWake(t->next.waitsSince, result.events + 1)) return true;
    after.wake(t->next.waitsSince, result.events + 1);
  }
  return false;
}

bool Execution::endsWhileLocked(Thread& t, const MemoryObject& object, const char* what, bool byItself) {
  const std::string about =
      std::string(what) + " " + program.describeAt(place(t), names.info(object.id).name);
  const auto nameAt = [&](uint64_t offset) {
    return program.describe(names.info(object.id).name, offset, 1);
  };
  for (auto at = sync.mutexes().lower_bound({object.id, 0});
       at != sync.mutexes().end() && at->first.first == object.id; ++at) {
    const MutexState& mutex = at->second;
    if (mutex.owner == kNone || (mutex.owner == t.id) != byItself) continue;
    const std::string message = about + ", in which '" + nameAt(at->first.second) + "' is locked";
    if (mutex.owner == t.id)
      fail(t, FailureKind::Misuse, message + " by this thread");
    else
      failHere(t, FailureKind::Misuse, message + " by " + names.label(mutex.owner));
    return true;
  }
  for (auto at = sync.objects().lower_bound({object.id, 0});
       !byItself && at != sync.objects().end() && at->first.first == object.id; ++at) {
    if (!isWaitedFor(at->second)) continue;
    failHere(t, FailureKind::Misuse, about + ", while a thread waits on '" + nameAt(at->first.second) + "'");
    return true;
  }
  return false;
}

bool RuleAwaiter::await_ready() {
  if (execution.prologue && execution.locations.endsPrologue(object.state->id)) execution.endPrologue();
  const Value state = execution.memory.read(*object.state, 0, kSyncBits / 8);
  asEvent = !execution.prologue || state.term != kNoTerm || operand.term != kNoTerm ||
            !execution.sync.guardHolds(rule, operand, object);
  if (!asEvent) ++thread.operations;
  return !asEvent;
}

void RuleAwaiter::await_suspend(std::coroutine_handle<> handle) {
  if (execution.ended) return;
  thread.calls.resumePoint = handle;
  const EventKind kind = rule.next ? EventKind::Update : EventKind::Read;
  if (!execution.accesses.wait(thread, kind, {object.state, 0}, kSyncBits / 8, 1, true)) return;
  thread.next.event.rule = &rule;
  thread.next.event.operand = operand;
  thread.next.event.timed |= timed;
  thread.next.sync = &object;
}

Value RuleAwaiter::await_resume() {
  return execution.accesses.applyRule(thread, rule, operand, object, asEvent);
}

std::string Call::nameOf(const Target& target) const {
  return execution.program.describeAt(execution.place(thread), execution.names.info(target.object->id).name,
                                      target.offset);
}

void Call::setErrno(uint64_t number) {
  if (MemoryObject* object = errorNumber()) execution.memory.write(*object, 0, 4, {number});
}

/// Whether an object that nobody has initialized by a call may be used: a constant has, if its memory was
/// written.
static bool mayBeConstant(const Target& target, bool needsInit) {
  constexpr uint64_t kLeast = 4;
  return !needsInit && !Memory::isNeverWritten(*target.object, target.offset, kLeast);
}

Task<SyncObject*> Call::syncStorage(size_t i, bool needsInit, Target& target) {
  if (!co_await resolve(argument(i), 4, true, target)) co_return nullptr;
  SyncObject* object = execution.sync.object(target, mayBeConstant(target, needsInit));
  if (!object) execution.unsupported(thread, "the address space is used up");
  co_return object;
}

Task<SyncObject*> Call::syncArgument(size_t i, const char* what, bool needsInit, Target& target) {
  if (!co_await resolve(argument(i), 4, false, target)) co_return nullptr;
  SyncObject* object = execution.sync.object(target, mayBeConstant(target, needsInit));
  if (!object) {
    execution.unsupported(thread, "the address space is used up");
    co_return nullptr;
  }
  co_return co_await checkUsable(*object, what, target) ? object : nullptr;
}

Task<bool> Call::checkUsable(SyncObject& object, const char* what, const Target& target) {
  const std::optional<Value> usable = co_await askUsable(object, "use " + nameOf(target));
  if (!usable) co_return false;
  if (is(*usable, Usable::Yes, BranchRole::Check, 0)) co_return true;
  const bool destroyed = is(*usable, Usable::Destroyed);
  execution.fail(thread, FailureKind::Misuse,
                 "use of " + std::string(what) + " '" + nameOf(target) + "', which was " +
                     (destroyed ? "destroyed" : "never initialized"));
  co_return false;
}

Task<bool> Call::checkFresh(SyncObject& object, const char* what, const Target& target) {
  const std::optional<Value> usable = co_await askUsable(object, "look at " + nameOf(target));
  if (!usable) co_return false;
  if (!is(*usable, Usable::Yes, BranchRole::Check, 1)) co_return true;
  execution.fail(
      thread, FailureKind::Misuse,
      "initialization of " + std::string(what) + " '" + nameOf(target) + "', which is initialized already");
  co_return false;
}

Task<bool> Call::makeUsable(SyncObject& object, const Target& target) {
  const std::optional<Value> usable = co_await askUsable(object, "look at " + nameOf(target));
  if (!usable) co_return false;
  if (is(*usable, Usable::Yes)) co_return true;
  co_return co_await setUsable(object, Usable::Yes, "initialize " + nameOf(target));
}

Task<bool> Call::initialize(SyncObject& object, const Target& target) {
  co_return co_await setUsable(object, Usable::Yes, "initialize " + nameOf(target), false);
}

Task<std::optional<Value>> Call::askUsable(SyncObject& object, std::string text) {
  AccessAwaiter look = load({object.state, kUsableByte}, 1);
  look.atomic = true;
  const Value byte = co_await look;
  if (execution.ended) co_return std::nullopt;
  if (look.asEvent) execution.texts.describe(thread, text);
  co_return byte;
}

bool Call::is(const Value& usable, Usable what, BranchRole role, int errorSide) {
  const Value equal = binaryValue(execution.terms, TermOp::Eq, usable, {static_cast<uint64_t>(what)}, 8);
  return execution.branch(thread, equal, role, errorSide);
}

Task<bool> Call::setUsable(SyncObject& object, Usable usable, std::string text, bool atomic) {
  const Target byte{object.state, kUsableByte};
  const Value now{static_cast<uint64_t>(usable)};
  // Nobody is left, or there yet, to see when: what comes later finds it so.
  if (execution.isAlone(thread) && !execution.locations.isShared(object.state->id)) {
    execution.memory.write(*object.state, kUsableByte, 1, now);
    ++thread.operations;
    co_return true;
  }
  AccessAwaiter tell = store(byte, 1, now);
  tell.atomic = atomic;
  co_await tell;
  if (execution.ended) co_return false;
  if (tell.asEvent) execution.texts.describe(thread, text);
  co_return true;
}

void Call::dependsOnOthers(BoundKind what) {
  if (!execution.isAlone(thread)) execution.result.misuseBounds.insert({what, execution.place(thread)});
}

bool Execution::isAlone(const Thread& thread) const {
  return std::all_of(threads_.begin(), threads_.end(),
                     [&](const auto& other) { return other.get() == &thread || other->joined; });
}

void Execution::noteBlocked(const Thread& t, const Event& event) {
  result.blocked.push_back(event);
  for (const SeenCell& seen : t.goesRound() ? t.rounds.awaited : std::vector<SeenCell>{}) {
    Event& read = result.awaited.emplace_back();
    read.thread = t.id;
    read.kind = EventKind::Read;
    read.place = seen.place;
    read.cells = {seen.location};
  }
}

bool Execution::isCancelled(const Thread& t) {
  const SyncObject* const request = program.cancels ? sync.cancelRequest(t.id) : nullptr;
  return request && memory.read(*request->state, 0, kSyncBits / 8).bits != 0;
}

void Execution::noteStuck() {
  const bool failed = std::any_of(result.failures.begin(), result.failures.end(),
                                  [](const Failure& f) { return f.kind != FailureKind::Uninitialized; });
  // Of joins only those that a cancellation ends have a limit, and nobody is left to ask for one. A signal
  // may end waits that began before a handler was installed or a signal was sent, too.
  const auto isLimited = [&](const Thread& t) {
    const Event& event = t.next.event;
    if (event.kind == EventKind::Join) return result.cancelled.contains(t.id);
    return event.timed || (process.handlesSignals && event.kind != EventKind::Lock);
  };
  const auto mayGoOn = [&](const Thread& t) {
    return t.stopped || (t.next.isGiven && isLimited(t)) ||
           (t.goesRound() && t.rounds.goesRound == GoesRound::MayLeave);
  };
  if (result.processExited || failed ||
      std::any_of(threads_.begin(), threads_.end(), [&](const auto& t) { return mayGoOn(*t); }))
    return;
  for (const auto& t : threads_) {
    if (!t->goesRound() || t->rounds.goesRound != GoesRound::TakesInputs) continue;
    result.stuckUnlessInputs = true;
    if (t->rounds.setAside && !t->rounds.awaited.empty()) noteBlocked(*t, loops.awaitedEvent(*t));
  }
  result.stuckUnlessInputs = result.stuckUnlessInputs && !result.blocked.empty();
  result.stuck = !result.stuckUnlessInputs && !result.blocked.empty();
}

}  // namespace heddle
