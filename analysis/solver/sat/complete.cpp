// From a partial assignment to a model: evaluate what was not decided, and find out whether that suffices.
#include "analysis/solver/sat/cdcl.h"

namespace heddle::sat {

/// True if model_ now satisfies every clause. Else the variables of the clauses that it does not are to be
/// decided.
bool Cdcl::complete() {
  ++counters_.completions;
  const uint32_t n = variables();
  model_.resize(n);
  for (Var v = 1; v < n; ++v) {
    int8_t x = values_[2 * v];
    if (x == 0) x = order_.isAtom(v) && order_.agrees(2 * v) ? 1 : -1;
    model_[v] = x;
  }
  if (trail_.size() + 1 == n) return true;
  evaluateGates();

  // A clause that is not satisfied by the assignment has both its watches unassigned, so it is found from
  // them.
  const size_t before = forced_.size();
  for (Literal p = 2; p < 2 * n; ++p) {
    if (values_[p] != 0 || modelValue(p)) continue;
    // p is false in the model: visit the clauses that watch it.
    const std::vector<Watch>& watches = watches_[negate(p)];
    ticks_ += watches.size();
    for (const Watch& w : watches) {
      if (value(w.blocker) > 0 || modelValue(w.blocker) || modelSatisfies(w.clause())) continue;
      for (const Literal q : arena_[w.clause()]) {
        const Var v = varOf(q);
        if (value(q) != 0 || (flags_[v] & kForced)) continue;
        flags_[v] |= kForced;
        forced_.push_back(v);
      }
    }
  }
  if (forced_.size() == before) return true;
  for (size_t i = before; i < forced_.size(); ++i) heap_.insert(forced_[i]);
  counters_.forced += forced_.size() - before;
  return false;
}

bool Cdcl::modelSatisfies(ClauseRef ref) {
  Clause& c = arena_[ref];
  if (c.learnt()) return true;  // follows from the others
  for (const Literal p : c)
    if (modelValue(p)) return true;
  return false;
}

/// Gates are listed after their inputs, so one pass is enough.
void Cdcl::evaluateGates() {
  for (const Gate& g : gates_) {
    if (values_[2 * g.output] != 0) continue;
    const Literal* in = &gateInputs_[g.firstInput];
    bool result = false;
    switch (g.kind) {
      case GateKind::And:
        result = true;
        for (uint32_t i = 0; i < g.inputs && result; ++i) result = modelValue(in[i]);
        break;
      case GateKind::Xor:
        result = modelValue(in[0]) != modelValue(in[1]);
        break;
      case GateKind::Ite:
        result = modelValue(in[0]) ? modelValue(in[1]) : modelValue(in[2]);
        break;
      case GateKind::Majority:
        result = modelValue(in[0]) + modelValue(in[1]) + modelValue(in[2]) >= 2;
        break;
    }
    model_[g.output] = result ? 1 : -1;
  }
}

}  // namespace heddle::sat
