#include "analysis/interp/core/undefined_values.h"

#include <algorithm>

#include "analysis/interp/core/execution.h"

namespace heddle {

Value UndefinedValues::settled(Thread& t, const Value& value) {
  if (!isUndefined(value)) return value;
  run_.assume(run_.place(t), "uninitialized value taken as 0");
  return {value.bits};
}

Value UndefinedValues::used(Thread& t, const Value& value, const char* how) {
  const bool isFromShared = !unwritten_.empty() && value.term != kNoTerm && !isUndefined(value);
  if (!isUndefined(value) && !(isFromShared && mentions(value.term))) return value;
  Failure failure;
  failure.kind = FailureKind::Uninitialized;
  failure.thread = t.id;
  failure.place = run_.place(t);
  failure.calls = run_.callsOf(t);
  const Instruction& in = program_.code[t.pc];
  const bool isCall = *how == 0 && in.op == Opcode::CallExternal;
  failure.message = "use of a value that was never written" +
                    (isCall ? " by '" + program_.externals[in.a] + "'" : std::string(how));
  failure.traceLength = options_.recordTrace ? run_.result.trace.size() : run_.result.events;
  const bool isKnown =
      std::any_of(run_.result.failures.begin(), run_.result.failures.end(), [&](const Failure& f) {
        return f.kind == failure.kind && f.place == failure.place && f.message == failure.message;
      });
  if (!isKnown) run_.result.failures.push_back(std::move(failure));
  run_.assume(run_.place(t), "uninitialized value taken as 0");
  return isUndefined(value) ? Value{value.bits} : value;
}

bool UndefinedValues::mentions(Term term) const {
  constexpr size_t kMost = 10'000;  // subterms that are looked at
  std::set<Term> seen;
  std::vector<Term> waiting{term};
  while (!waiting.empty() && seen.size() < kMost) {
    const Term at = waiting.back();
    waiting.pop_back();
    if (at == kNoTerm || !seen.insert(at).second) continue;
    if (unwritten_.contains(at)) return true;
    const TermNode& node = terms_.node(at);
    for (const Term part : {node.a, node.b, node.c}) waiting.push_back(part);
  }
  return false;
}

Value UndefinedValues::chosen(Thread& t, const Value& condition, const Value& a, const Value& b,
                              unsigned width) {
  if (!condition.term) return condition.bits & 1 ? a : b;
  if (isUndefined(a) && isUndefined(b)) {
    // A replay has no symbols, and must come to the same bits.
    if (a.bits != b.bits)
      run_.takeFromThisExecution(run_.place(t), "which of two unwritten values is chosen");
    return condition.bits & 1 ? a : b;
  }
  return selected(terms_, condition, settled(t, a), settled(t, b), width);
}

}  // namespace heddle
