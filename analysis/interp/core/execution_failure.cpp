// Failures, bounds and assumptions; branches, choices and inputs as the sink hears of them.
#include "analysis/interp/core/execution.h"

#include <algorithm>

#include "analysis/interp/core/memory_model.h"

namespace heddle {

void Execution::fail(Thread& t, FailureKind kind, std::string message, PlaceId at) {
  if (kind == FailureKind::Assertion && program.environment.callersFit) {
    assume(place(t), "assertions hold: they say what callers keep to");
    return stop(t);
  }
  Failure failure;
  failure.kind = kind;
  failure.place = at;
  failure.message = std::move(message);
  failWith(t, std::move(failure));
}

void Execution::failFreed(Thread& t, const MemoryObject& object, const std::string& claim) {
  Failure failure;
  failure.kind = FailureKind::Memory;
  failure.message = claim + ", freed at " + program.shortPlace(object.endedAt);
  failure.freed = object.id;
  failure.freedAt = object.endedAt;
  failWith(t, std::move(failure));
}

std::vector<PlaceId> Execution::callsOf(const Thread& t) const {
  constexpr size_t kMost = 32;
  std::vector<PlaceId> places;
  for (size_t i = t.frames.size(); i-- > 1 && places.size() < kMost;)
    if (const uint32_t call = t.frames[i].returnPc; call < program.code.size())
      places.push_back(program.code[call].place);
  return places;
}

void Execution::failWith(Thread& t, Failure failure) {
  failure.thread = t.id;
  failure.calls = callsOf(t);
  if (failure.place == kNone) failure.place = place(t);
  failure.traceLength = options.recordTrace ? result.trace.size() : result.events;
  sink().failure(failure);
  result.failures.push_back(std::move(failure));
  if (options.stopAtFailure) {
    result.outcome = RunOutcome::Stopped;
    ended = true;
    return;
  }
  finish(t, true);
}

void Execution::failHere(Thread& t, FailureKind kind, std::string message) {
  fail(t, kind, std::move(message));
  result.outcome = RunOutcome::Failed;
  ended = true;
}

void Execution::unsupported(Thread& t, std::string what) {
  result.outcome = RunOutcome::Unsupported;
  result.unsupported = std::move(what);
  result.unsupportedPlace = place(t);
  ended = true;
}

void Execution::bound(Thread& t, const Bound& hit) {
  result.bounds.insert(hit);
  stop(t);
}

void Execution::assume(PlaceId at, const std::string& text) {
  if (assumed_.emplace(at, text).second) result.assumptions.emplace_back(at, text);
}

void Execution::noteUnknownCall(Thread& t, const std::string& name) {
  result.unknownCalls.insert(name);
  result.unknownPlaces.insert(place(t));
}

void Execution::takeFromThisExecution(PlaceId at, const std::string& what) {
  result.droppedTerm = true;
  assume(at, what + " taken to be what it was in one execution");
}

void Execution::print(std::string_view text) {
  constexpr size_t kLimit = 1 << 20;
  result.output.append(text.substr(0, kLimit - std::min(kLimit, result.output.size())));
}

bool Execution::branch(Thread& t, const Value& condition, BranchRole role, int errorSide) {
  const bool taken = condition.bits & 1;
  if (!condition.term || condition.term == t.decided) return taken;
  t.uncertain = true;
  if (t.atomic.number && !locations.everyAccessIsEvent()) {
    // No state is merged inside a section, so the path knows how it went.
    const auto known = std::find(t.atomic.branches.begin(), t.atomic.branches.end(), condition.term);
    if (known != t.atomic.branches.end()) return taken;
    t.atomic.branches.push_back(condition.term);
    t.atomic.branches.push_back(terms.logicalNot(condition.term));
  }
  t.forked = true;
  ++t.rounds.forks;
  BranchInfo info;
  info.thread = t.id;
  info.place = place(t);
  info.condition = condition.term;
  info.taken = taken;
  info.role = role;
  info.errorSide = static_cast<int8_t>(errorSide);
  sink().branch(info);
  if (role != BranchRole::Assume) endPrologue();
  return taken;
}

void Execution::choose(Thread& t, const Value& value) {
  if (!value.term) return;
  t.uncertain = true;
  t.forked = true;
  ++t.rounds.forks;
  sink().choice(t.id, place(t), value.term, value.bits);
  endPrologue();
}

bool Execution::chooseSize(Thread& t, const Value& count, uint64_t each) {
  if (count.term && options.maxInputSize != 0) {
    const uint64_t most = options.maxInputSize / std::max<uint64_t>(each, 1);
    const Value fits = binaryValue(terms, TermOp::Ule, count, {most}, terms.width(count.term));
    if (fits.term && !branch(t, fits, BranchRole::Branch, -1)) {
      bound(t, {BoundKind::AllocationSize, place(t), options.maxInputSize});
      return false;
    }
  }
  choose(t, count);
  return true;
}

}  // namespace heddle
