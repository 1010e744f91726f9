// Synchronization objects and their rules, wake-ups of condition variables, atomic sections.
#include <algorithm>

#include "analysis/interp/core/execution.h"

namespace heddle {

namespace {

Term termOf(TermTable& terms, const Value& value) {
  return value.term != kNoTerm ? value.term : terms.constant(value.bits, kSyncBits);
}

Term constantOf(TermTable& terms, const Value& value) {
  return terms.constant(value.bits, kSyncBits);
}

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

SyncObject* Execution::syncObject(const Target& target, bool usable) {
  SyncObject& object = syncObjects_[{target.object->id, target.offset}];
  if (object.state) return &object;
  object.state = memory.create(
      {ObjectKind::Library, kNone, target.object->id, static_cast<uint32_t>(target.offset), kSyncBytes});
  if (!object.state || !memory.touch(*object.state)) return nullptr;
  memory.clear(*object.state);
  memory.write(*object.state, kUsableByte, 1, {static_cast<uint64_t>(usable ? Usable::Yes : Usable::NotYet)});
  return &object;
}

SyncObject* Execution::cancelRequest(ThreadId id) {
  MemoryObject* object = threadResult(id);
  return object ? syncObject({object, 0}) : nullptr;
}

std::vector<Target> Execution::robustHeld(const Thread& t) {
  std::vector<Target> held;
  for (const auto& [at, state] : mutexes_)
    if (state.robust && state.owner == t.id)
      held.push_back({memory.at(names.info(at.first).base), at.second});
  return held;
}

bool Execution::isWaitedFor(const SyncObject& object) {
  ConditionState after = object.condition;  // once all who can have been woken
  for (const auto& t : threads_) {
    if (!t->waiting || t->sync != &object) continue;
    if (t->pending.rule && !guardHolds(*t, *t->pending.rule, t->pending.operand, object)) return true;
    if (t->pending.rule || t->pending.kind != EventKind::Wake) continue;
    if (!after.canWake(t->waitsSince, result.events + 1)) return true;
    after.wake(t->waitsSince, result.events + 1);
  }
  return false;
}

bool Execution::endsWhileLocked(Thread& t, const MemoryObject& object, const char* what, bool byItself) {
  const std::string about =
      std::string(what) + " " + program.describeAt(place(t), names.info(object.id).name);
  const auto nameAt = [&](uint64_t offset) {
    return program.describe(names.info(object.id).name, offset, 1);
  };
  for (auto at = mutexes_.lower_bound({object.id, 0}); at != mutexes_.end() && at->first.first == object.id;
       ++at) {
    const MutexState& mutex = at->second;
    if (mutex.owner == kNone || (mutex.owner == t.id) != byItself) continue;
    const std::string message = about + ", in which '" + nameAt(at->first.second) + "' is locked";
    if (mutex.owner == t.id)
      fail(t, FailureKind::Misuse, message + " by this thread");
    else
      failHere(t, FailureKind::Misuse, message + " by " + names.label(mutex.owner));
    return true;
  }
  for (auto at = syncObjects_.lower_bound({object.id, 0});
       !byItself && at != syncObjects_.end() && at->first.first == object.id; ++at) {
    if (!isWaitedFor(at->second)) continue;
    failHere(t, FailureKind::Misuse, about + ", while a thread waits on '" + nameAt(at->first.second) + "'");
    return true;
  }
  return false;
}

bool Execution::isSynchronization(const MemoryObject& object, uint64_t offset) const {
  constexpr uint64_t kLargest = 64;  // bytes of an object of the thread library
  const auto reaches = [&](const auto& objects) {
    const auto behind = objects.upper_bound({object.id, offset});
    if (behind == objects.begin()) return false;
    const auto& [id, at] = std::prev(behind)->first;
    return id == object.id && offset - at < kLargest;
  };
  return reaches(mutexes_) || reaches(syncObjects_);
}

bool Execution::guardHolds(const Thread&, const SyncRule& rule, const Value& operand,
                           const SyncObject& object) {
  if (!rule.guard) return true;
  const Value state = memory.read(*object.state, 0, kSyncBits / 8);
  const Term guard = rule.guard(terms, constantOf(terms, state), constantOf(terms, operand));
  return terms.constValue(guard) != 0;
}

Value Execution::applyRule(Thread& t, const SyncRule& rule, const Value& operand, SyncObject& object,
                           bool asEvent) {
  constexpr unsigned kBytes = kSyncBits / 8;
  const Target target{object.state, 0};
  if (!asEvent) noteLook(t, target, kBytes);
  auto next = [&](const Value& old) -> Value {
    const Term bits = rule.next(terms, constantOf(terms, old), constantOf(terms, operand));
    if (old.term == kNoTerm && operand.term == kNoTerm) return {terms.constValue(bits)};
    const Term term = rule.next(terms, termOf(terms, old), termOf(terms, operand));
    return {terms.constValue(bits), terms.isConst(term) ? kNoTerm : term};
  };
  if (rule.next) return update(t, target, kBytes, kSyncBits, asEvent, next);
  return load(t, target, kBytes, asEvent);
}

// --- awaiters and arguments ---

bool RuleAwaiter::await_ready() {
  if (execution.prologue && execution.locations.endsPrologue(object.state->id)) execution.endPrologue();
  const Value state = execution.memory.read(*object.state, 0, kSyncBits / 8);
  asEvent = !execution.prologue || state.term != kNoTerm || operand.term != kNoTerm ||
            !execution.guardHolds(thread, rule, operand, object);
  if (!asEvent) ++thread.operations;
  return !asEvent;
}

void RuleAwaiter::await_suspend(std::coroutine_handle<> handle) {
  if (execution.ended) return;
  thread.resumePoint = handle;
  const EventKind kind = rule.next ? EventKind::Update : EventKind::Read;
  if (!execution.waitForAccess(thread, kind, {object.state, 0}, kSyncBits / 8, 1, true)) return;
  thread.pending.rule = &rule;
  thread.pending.operand = operand;
  thread.pending.timed |= timed;
  thread.sync = &object;
}

Value RuleAwaiter::await_resume() {
  return execution.applyRule(thread, rule, operand, object, asEvent);
}

std::string Call::nameOf(const Target& target) const {
  return execution.program.describeAt(execution.place(thread), execution.names.info(target.object->id).name,
                                      target.offset);
}

void Call::setErrno(uint64_t number) {
  if (MemoryObject* object = errorNumber()) execution.memory.write(*object, 0, 4, {number});
}

Task<SyncObject*> Call::syncStorage(size_t i, bool needsInit, Target& target) {
  if (!co_await resolve(argument(i), 4, true, target)) co_return nullptr;
  SyncObject* object = execution.syncObject(target, !needsInit);
  if (!object) execution.unsupported(thread, "the address space is used up");
  co_return object;
}

Task<SyncObject*> Call::syncArgument(size_t i, const char* what, bool needsInit, Target& target) {
  if (!co_await resolve(argument(i), 4, false, target)) co_return nullptr;
  SyncObject* object = execution.syncObject(target, !needsInit);
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
  if (look.asEvent) execution.describe(thread, text);
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
  if (tell.asEvent) execution.describe(thread, text);
  co_return true;
}

void Call::dependsOnOthers(BoundKind what) {
  if (!execution.isAlone(thread)) execution.result.misuseBounds.insert({what, execution.place(thread)});
}

bool Execution::isAlone(const Thread& thread) const {
  return std::all_of(threads_.begin(), threads_.end(),
                     [&](const auto& other) { return other.get() == &thread || other->joined; });
}

// --- atomic sections ---

void Execution::beginSection(Thread& t) {
  if (t.sectionDepth++ > 0) return;
  t.section = ++t.sections;
  t.sectionUsed = false;
  t.sectionCells.clear();
  t.sectionBranches.clear();
}

void Execution::endSection(Thread& t) {
  if (t.sectionDepth == 0 || --t.sectionDepth > 0) return;
  t.section = 0;
  t.undo.clear();
  if (t.sectionUsed) sink().sectionEnd(t.id);
}

void Execution::noteUndo(Thread& t, const Target& target, unsigned size) {
  if (!t.section) return;
  t.undo.push_back({target, size, memory.read(*target.object, target.offset, size), t.pending.cells});
}

void Execution::noteSectionValues(Thread& t, const std::vector<Value>& values) {
  if (!t.section || locations.everyAccessIsEvent()) return;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto known = std::find_if(t.sectionCells.begin(), t.sectionCells.end(),
                                    [&](const auto& cell) { return cell.first == t.pending.cells[i]; });
    if (known != t.sectionCells.end())
      known->second = values[i];
    else
      t.sectionCells.emplace_back(t.pending.cells[i], values[i]);
  }
}

std::optional<Value> Execution::sectionValue(Thread& t, const Target& target, unsigned size) {
  if (!t.section || t.sectionCells.empty()) return std::nullopt;
  Event event;
  locations.cells(target.object->id, static_cast<uint32_t>(target.offset), size, event.cells);
  noteKnowledge();
  std::vector<Value> values;
  for (const LocationId id : event.cells) {
    const auto known = std::find_if(t.sectionCells.begin(), t.sectionCells.end(),
                                    [&](const auto& cell) { return cell.first == id; });
    if (known == t.sectionCells.end()) return std::nullopt;
    values.push_back(known->second);
  }
  return joinCells(event, values);
}

void Execution::abandonSection(Thread& t) {
  if (!t.section) return;
  for (; !t.undo.empty(); t.undo.pop_back()) {
    const UndoEntry& entry = t.undo.back();
    memory.write(*entry.target.object, entry.target.offset, entry.size, entry.old);
    for (const LocationId id : entry.cells) {
      const Cell& cell = locations.cell(id);
      sink().restored(id, memory.read(*entry.target.object, cell.offset, cell.size));
    }
  }
  t.section = 0;
  t.sectionDepth = 0;
}

bool Execution::giveUpBlockedSection() {
  if (!inSection_) return false;
  stop(*inSection_);
  inSection_ = nullptr;
  return true;
}

}  // namespace heddle
