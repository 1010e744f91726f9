// No write comes between a read and its source: clauses for this are made when the order violates them (see
// cells.h).
#include <algorithm>
#include <new>

#include "analysis/solver/sat/cdcl.h"

namespace heddle::sat {

void Cdcl::addWrite(uint32_t cell, OrderTheory::Node write, Literal on) {
  cells_.addWrite(cell, {write, on});
}

void Cdcl::addSource(uint32_t cell, Literal chosen, OrderTheory::Node read, OrderTheory::Node write) {
  cells_.addSource(cell, {chosen, read, write}, value(chosen) > 0);
}

bool Cdcl::isViolated(const Cells::Source& source, const Cells::Write& other) const {
  if (other.node == source.read || other.node == source.write) return false;
  const uint32_t place = order_.place(other.node);
  return place < order_.place(source.read) &&
         (source.write == Solver::kInitialWrite || order_.place(source.write) < place);
}

/// Looks at the literals not yet seen, and only at what the order violates now: it may change later, so the
/// end of the search looks again.
ClauseRef Cdcl::propagateCells() {
  while (cellHead_ < trail_.size()) {
    const Literal p = trail_[cellHead_++];
    for (uint32_t t = cells_.firstTrigger(p); t != 0; t = cells_.trigger(t).next) {
      const Cells::Trigger trigger = cells_.trigger(t);
      const Cells::Cell& cell = cells_[trigger.cell];
      const uint32_t depth = level();
      const auto check = [&](uint32_t s, uint32_t w) {
        const bool applies = value(cell.sources[s].chosen) > 0 && value(cell.writes[w].on) > 0;
        return applies && isViolated(cell.sources[s], cell.writes[w]) ? exclude(trigger.cell, s, w)
                                                                      : kNoClause;
      };
      ClauseRef conflict = kNoClause;
      if (trigger.isWrite) {
        ticks_ += cell.active.size();
        for (size_t i = 0; i < cell.active.size() && conflict == kNoClause && level() == depth; ++i)
          conflict = check(cell.active[i], trigger.index);
      } else {
        cells_.activate(trigger.cell, trigger.index);
        ticks_ += cell.writes.size();
        for (uint32_t i = 0; i < cell.writes.size() && conflict == kNoClause && level() == depth; ++i)
          conflict = check(trigger.index, i);
      }
      if (conflict != kNoClause || level() != depth || !ok_) return conflict;
    }
    if (head_ != trail_.size()) return kNoClause;
  }
  return kNoClause;
}

/// Looks at the completed model. Whether there were violations that no clause excluded so far; clauses do so
/// now.
bool Cdcl::excludeViolations() {
  const uint64_t before = counters_.excluded;
  for (uint32_t c = 0; c < cells_.size(); ++c) {
    const Cells::Cell& cell = cells_[c];
    ticks_ += cell.sources.size();
    for (uint32_t s = 0; s < cell.sources.size(); ++s) {
      if (!modelValue(cell.sources[s].chosen)) continue;
      ticks_ += cell.writes.size();
      for (uint32_t w = 0; w < cell.writes.size(); ++w) {
        if (!modelValue(cell.writes[w].on) || !isViolated(cell.sources[s], cell.writes[w])) continue;
        const uint32_t depth = level();
        pendingConflict_ = exclude(c, s, w);
        if (level() != depth || !ok_ || pendingConflict_ != kNoClause) return true;
      }
    }
  }
  return counters_.excluded != before;
}

/// Adds the clause for one triple, unless it is there already. Returns it if it is false now.
ClauseRef Cdcl::exclude(uint32_t cell, uint32_t sourceIndex, uint32_t write) {
  const Cells::Source source = cells_[cell].sources[sourceIndex];
  const Cells::Write other = cells_[cell].writes[write];
  uint32_t& known = excluded_[{static_cast<uint64_t>(cell) << 32 | sourceIndex, write}];
  if (known != 0) return kNoClause;
  known = 1;
  ++counters_.excluded;
  std::vector<Literal> clause{negate(source.chosen), negate(other.on), before(source.read, other.node)};
  if (source.write != Solver::kInitialWrite) clause.push_back(before(other.node, source.write));
  return addInSearch(clause);
}

/// Adds a clause at any level. May go back to level 0, when it fixes a literal; enqueues what it implies.
ClauseRef Cdcl::addInSearch(std::vector<Literal>& clause) {
  ++counters_.clauses;
  std::erase_if(clause, [this](Literal p) { return fixedValue(p) < 0; });
  for (const Literal p : clause)
    if (fixedValue(p) > 0) return kNoClause;
  if (clause.empty()) {
    ok_ = false;
    return kNoClause;
  }
  if (clause.size() == 1) {
    cancelUntil(0);
    enqueue(clause[0], kNoClause);
    return kNoClause;
  }
  // Watch what is not false, then what became false last.
  const auto rank = [this](Literal p) { return value(p) >= 0 ? ~0u : vars_[varOf(p)].level; };
  std::sort(clause.begin(), clause.end(), [&](Literal a, Literal b) { return rank(a) > rank(b); });
  if (!arena_.hasRoomFor(clause.size())) throw std::bad_alloc();
  const ClauseRef ref = arena_.allocate(clause, false);
  clauses_.push_back(ref);
  literalCount_ += clause.size();
  attach(ref);
  if (value(clause[0]) < 0) return ref;
  if (value(clause[0]) == 0 && value(clause[1]) < 0) enqueue(clause[0], ref);
  return kNoClause;
}

}  // namespace heddle::sat
