// Failures, bounds and assumptions; branches, choices and inputs as the sink hears of them.
#include <algorithm>

#include "analysis/interp/core/execution.h"
#include "analysis/interp/core/memory_model.h"

namespace heddle {

void Execution::fail(Thread& t, FailureKind kind, std::string message, PlaceId at) {
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

void Execution::failWith(Thread& t, Failure failure) {
  failure.thread = t.id;
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

void Execution::takeFromThisExecution(PlaceId at, const std::string& what) {
  result.droppedTerm = true;
  assume(at, what + " taken to be what it was in one execution");
}

void Execution::print(std::string_view text) {
  constexpr size_t kLimit = 1 << 20;
  result.output.append(text.substr(0, kLimit - std::min(kLimit, result.output.size())));
}

Value Execution::settled(Thread& t, const Value& value) {
  if (!isUndefined(value)) return value;
  assume(place(t), "uninitialized value taken as 0");
  return {value.bits};
}

Value Execution::used(Thread& t, const Value& value, const char* how) {
  const bool isFromShared = !undefinedTerms_.empty() && value.term != kNoTerm && !isUndefined(value);
  if (!isUndefined(value) && !(isFromShared && mentionsUndefined(value.term))) return value;
  Failure failure;
  failure.kind = FailureKind::Uninitialized;
  failure.thread = t.id;
  failure.place = place(t);
  const Instruction& in = program.code[t.pc];
  const bool isCall = *how == 0 && in.op == Opcode::CallExternal;
  failure.message = "use of a value that was never written" +
                    (isCall ? " by '" + program.externals[in.a] + "'" : std::string(how));
  failure.traceLength = options.recordTrace ? result.trace.size() : result.events;
  const bool isKnown = std::any_of(result.failures.begin(), result.failures.end(), [&](const Failure& f) {
    return f.kind == failure.kind && f.place == failure.place && f.message == failure.message;
  });
  if (!isKnown) result.failures.push_back(std::move(failure));
  assume(place(t), "uninitialized value taken as 0");
  return isUndefined(value) ? Value{value.bits} : value;
}

bool Execution::mentionsUndefined(Term term) const {
  constexpr size_t kMost = 10'000;  // subterms that are looked at
  std::set<Term> seen;
  std::vector<Term> waiting{term};
  while (!waiting.empty() && seen.size() < kMost) {
    const Term at = waiting.back();
    waiting.pop_back();
    if (at == kNoTerm || !seen.insert(at).second) continue;
    if (undefinedTerms_.contains(at)) return true;
    const TermNode& node = terms.node(at);
    for (const Term part : {node.a, node.b, node.c}) waiting.push_back(part);
  }
  return false;
}

Value Execution::chosen(Thread& t, const Value& condition, const Value& a, const Value& b, unsigned width) {
  if (!condition.term) return condition.bits & 1 ? a : b;
  if (isUndefined(a) && isUndefined(b)) return a;
  return selected(terms, condition, settled(t, a), settled(t, b), width);
}

bool Execution::branch(Thread& t, const Value& condition, BranchRole role, int errorSide) {
  const bool taken = condition.bits & 1;
  if (!condition.term || condition.term == t.decided) return taken;
  t.uncertain = true;
  if (t.section && !locations.everyAccessIsEvent()) {
    // No state is merged inside a section, so the path knows how it went.
    const auto known = std::find(t.sectionBranches.begin(), t.sectionBranches.end(), condition.term);
    if (known != t.sectionBranches.end()) return taken;
    t.sectionBranches.push_back(condition.term);
    t.sectionBranches.push_back(terms.logicalNot(condition.term));
  }
  t.forked = true;
  ++t.forks;
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
  ++t.forks;
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

InputRequest Execution::inputRequest(const Thread& t, unsigned width, bool isSigned,
                                     const std::string& name) const {
  InputRequest request;
  request.ordinal = t.inputs - t.memoryInputs;
  request.width = width;
  request.isSigned = isSigned;
  const auto known = program.resultNames.find(t.pc);
  request.name = known == program.resultNames.end() ? name : known->second;
  return request;
}

Value Execution::input(Thread& t, unsigned width, bool isSigned, const std::string& name, bool exactName) {
  InputRequest request = inputRequest(t, width, isSigned, name);
  if (exactName) request.name = name;
  return input(t, std::move(request));
}

Value Execution::inputAsResult(Thread& t, unsigned width, bool isSigned, const std::string& name) {
  InputRequest request = inputRequest(t, width, isSigned, name);
  request.isResult = true;
  return input(t, std::move(request));
}

Value Execution::undefinedInput(Thread& t, const Target& target, unsigned size, bool isShared) {
  InputRequest request;
  request.thread = t.id;
  request.memoryOperation = t.operations;
  request.width = size * 8u;
  request.name = program.describe(names.info(target.object->id).name);
  // Of shared memory any value stands in no event. When a schedule is replayed, all memory is shared.
  if (isShared && !sink().wasInput(request)) return {};
  const Value value = input(t, std::move(request));
  ++t.memoryInputs;
  memory.write(*target.object, target.offset, size, value);
  noteWritten(t, *target.object);
  return value;
}

Value Execution::ask(const InputRequest& request) {
  budget.spend();  // a loop that asks in each round grows like one with events
  const Value given = sink().input(request);
  if (options.memoryModel)
    options.memoryModel->input(request.thread, {given.bits & widthMask(request.width), given.term});
  return given;
}

Value Execution::input(Thread& t, InputRequest request) {
  t.uncertain = true;
  const unsigned width = request.width;
  request.thread = t.id;
  request.place = place(t);
  t.leaving = false;  // with another value it may do something else
  Value value = ask(request);
  // A constant is one of a sequence: the next round would see the next one.
  if (value.term == kNoTerm) hasEffect(t);
  value.bits &= widthMask(width);
  if (value.term && terms.isConst(value.term)) value.term = kNoTerm;
  result.inputs.push_back({t.id, t.inputs++, request.ordinal, request.memoryOperation, width,
                           request.isSigned, request.place, std::move(request.name), value.bits, false, false,
                           t.operations});
  result.schedule.inputs[inputLabel(t.label, request.memoryOperation)].push_back(
      request.isSigned && width > 1 ? signExtend(value.bits, width) : static_cast<int64_t>(value.bits));
  return value;
}

}  // namespace heddle
