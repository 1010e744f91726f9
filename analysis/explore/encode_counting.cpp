// Counting: when every write to a location adds the same constant to what the location held, in one step that
// no other write can divide (an atomic update, a read and a write in one atomic section, or in one critical
// section of one mutex), a read finds the initial value plus that constant times the number of writes that
// happened before. For reads whose place among the writes is certain (those behind the joins, above all) that
// turns a proof over all interleavings into counting which writes happen at all.
#include <algorithm>

#include "analysis/explore/encoder.h"

namespace heddle {

void Encoder::noteCounting(LocationState& state, NodeId write, const NodeCell& cell) {
  Counting& counting = state.counting;
  counting.encoded = 0;
  if (!counting.possible) return;
  counting.possible = false;
  const TermNode& value = terms_.node(cell.value);
  if (value.op != TermOp::Add || !terms_.isConst(value.b)) return;
  const auto read = symbolRead_.find(value.a);
  if (read == symbolRead_.end() || read->second.location != cell.location) return;
  const NodeId from = read->second.node;
  const bool first = counting.writes.empty();
  if (!first && counting.by != terms_.constValue(value.b)) return;
  counting.by = terms_.constValue(value.b);
  if (from != write) {
    // The read must be the thread's own look at the location right before, under a mutex held since then.
    const NodeCell* seen = cellAt(forest_[from], cell.location);
    if (forest_[from].segment != forest_[write].segment || !forest_.isAncestor(from, write) ||
        seen->ownWrite != cell.ownWrite)
      return;
  }
  std::vector<LocationId> mutexes;
  for (const NodeId lock : forest_[write].held)
    if (const auto& held = forest_[from].held; std::find(held.begin(), held.end(), lock) != held.end())
      mutexes.push_back(forest_[lock].cells[0].location);
  const bool oneSection = forest_[from].section != kNone && forest_[from].section == forest_[write].section;
  const bool atomic = from == write || oneSection;
  counting.allAtomic = (first || counting.allAtomic) && atomic;
  if (first)
    counting.mutexes = mutexes;
  else
    std::erase_if(counting.mutexes, [&](LocationId m) {
      return std::find(mutexes.begin(), mutexes.end(), m) == mutexes.end();
    });
  counting.writes.push_back(write);
  constexpr size_t kMost = 128;  // writes: the network has their square
  counting.possible = (counting.allAtomic || !counting.mutexes.empty()) && counting.writes.size() <= kMost;
}

void Encoder::countWrites() {
  for (LocationId id = 0; id < locations_.size(); ++id) {
    LocationState& state = locations_[id];
    Counting& counting = state.counting;
    if (!counting.possible || counting.writes.size() < 2) continue;
    const Term initial = id < initial_.size() ? initial_[id] : kNoTerm;
    if (initial != kNoTerm && !terms_.isConst(initial)) continue;
    for (; counting.encoded < state.readers.size(); ++counting.encoded) {
      if (stopped()) return;
      const Reader& reader = state.readers[counting.encoded];
      if (reader.symbol == kNoTerm) continue;
      std::vector<Lit> happened;
      bool certain = true;
      for (const NodeId write : counting.writes) {
        if (precedence_.always(write, reader.node))
          happened.push_back(encoded_[write].on);
        else if (write != reader.node && !precedence_.always(reader.node, write))
          certain = false;
      }
      if (certain && happened.size() > 1) addCount(state, reader, happened, initial);
    }
  }
}

void Encoder::addCount(const LocationState& state, const Reader& reader, const std::vector<Lit>& happened,
                       Term initial) {
  // A sequential counter: sum[k] is true exactly when at least k of the literals so far are.
  const Lit unknown = groups_[state.group].guard, on = encoded_[reader.node].on;
  std::vector<Lit> sum;
  for (const Lit lit : happened) {
    std::vector<Lit> next;
    for (size_t k = 0; k <= sum.size(); ++k) {
      const Lit stays = k < sum.size() ? sum[k] : -Solver::kTrue;
      const Lit carried = k == 0 ? Solver::kTrue : sum[k - 1];
      const Lit out = solver_.newLit();
      solver_.addClause({-stays, out});
      solver_.addClause({-carried, -lit, out});
      solver_.addClause({-out, stays, carried});
      solver_.addClause({-out, stays, lit});
      next.push_back(out);
    }
    sum = std::move(next);
  }
  const unsigned width = terms_.width(reader.symbol);
  const uint64_t start = initial == kNoTerm ? 0 : terms_.constValue(initial);
  for (size_t k = 0; k <= sum.size(); ++k) {
    const Lit atLeast = k == 0 ? Solver::kTrue : sum[k - 1];
    const Lit more = k < sum.size() ? sum[k] : -Solver::kTrue;
    const Lit exactly = solver_.newLit();
    solver_.addClause({unknown, -on, -atLeast, more, exactly});
    solver_.addEqualityIf(exactly, reader.symbol,
                          terms_.constant((start + k * state.counting.by) & widthMask(width), width));
  }
}

}  // namespace heddle
