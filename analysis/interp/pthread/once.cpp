// pthread_once and call_once: the cell is 0 before, 1 while some thread runs the routine, 2 after.
#include "analysis/interp/core/call.h"

namespace heddle {

namespace once_calls {
namespace {

Term isNot(TermTable& terms, Term state, uint64_t value) {
  return terms.logicalNot(terms.eq(state, terms.constant(value, kSyncBits)));
}
Term nobodyRuns(TermTable& terms, Term state, Term) {
  return isNot(terms, state, 1);
}
Term enter(TermTable& terms, Term state, Term) {
  return terms.ite(isNot(terms, state, 0), state, terms.constant(1, kSyncBits));
}
Term done(TermTable& terms, Term, Term) {
  return terms.constant(2, kSyncBits);
}

constexpr SyncRule kEnter{nobodyRuns, enter, "look at", "once control"};
constexpr SyncRule kDone{nullptr, done, "complete", "once control"};

Term unset(TermTable& terms, Term, Term) {
  return terms.constant(0, kSyncBits);
}
constexpr SyncRule kReset{nullptr, unset, "reset", "once control"};

Task<> once(Call& call) {
  ModelContext& e = call.context;
  Thread& t = call.thread;
  Target target;
  SyncObject* object = co_await call.syncArgument(0, "once control", false, target);
  if (!object) co_return;
  const std::string name = call.nameOf(target);
  const Value old = co_await call.apply(kEnter, *object);
  if (!e.prologue) e.describe(t, "look at once control " + name);
  call.returns(0);
  const Value first = binaryValue(e.terms, TermOp::Eq, old, {0}, kSyncBits);
  if (!e.branch(t, first, BranchRole::Branch, -1)) co_return;
  const FunctionId routine = call.functionAt(call.argument(1));
  if (routine == kNone) co_return;
  std::vector<Value> none;
  t.calls.onces.push_back({object, t.frames.size(), t.calls.cleanups.size()});
  co_await call.invoke(routine, std::move(none));
  if (e.ended || t.stopped) co_return;
  t.calls.onces.pop_back();
  co_await call.apply(kDone, *object);
  if (!e.prologue) e.describe(t, "complete once control " + name);
}

constexpr ModelledCall kModels[] = {
    {"pthread_once", nullptr, once},
    {"call_once", nullptr, once},
    {"uv_once", nullptr, once},
};

}  // namespace
}  // namespace once_calls

Task<bool> leaveOnce(Call& call) {
  Thread& t = call.thread;
  while (!t.calls.onces.empty() && t.calls.cleanups.size() <= t.calls.onces.back().cleanups) {
    SyncObject& control = *t.calls.onces.back().control;
    t.calls.onces.pop_back();
    co_await call.apply(once_calls::kReset, control);
    if (call.context.ended) co_return false;
    if (!call.context.prologue) call.context.describe(t, "reset once control, whose routine ends here");
  }
  co_return true;
}

std::span<const ModelledCall> onceModels() {
  return once_calls::kModels;
}

}  // namespace heddle
