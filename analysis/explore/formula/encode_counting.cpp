// Counting: when every write to a location adds something to what the location held, in one step that no
// other write can divide (an atomic update, a read and a write in one atomic section, or in one critical
// section of one mutex), a read finds the initial value plus what the writes that happened before have added,
// in whatever order. For reads whose place among the writes is certain (those behind the joins, above all)
// that turns a proof over all interleavings into counting which writes happen at all, where all add the same
// constant, and else into one sum.
//
// What a write adds may depend on anything, even on the location itself: it is a term, and the sum is over
// the values that these terms have in one execution.
#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/explore/formula/encoder.h"

namespace heddle {

bool Encoder::addsTo(LocationId location, Term value, std::vector<Addend>& added, NodeId& read) const {
  constexpr size_t kMost = 6;  // addends
  if (const auto known = symbolRead_.find(value); known != symbolRead_.end()) {
    read = known->second.node;
    return known->second.location == location && !added.empty();
  }
  const TermNode node = terms_.node(value);
  if ((node.op != TermOp::Add && node.op != TermOp::Sub) || added.size() == kMost) return false;
  added.push_back({node.b, node.op == TermOp::Sub});
  if (addsTo(location, node.a, added, read)) return true;
  added.back() = {node.a, false};
  if (node.op == TermOp::Add && addsTo(location, node.b, added, read)) return true;
  added.pop_back();
  return false;
}

void Encoder::noteCounting(LocationState& state, NodeId write, const NodeCell& cell) {
  Counting& counting = state.counting;
  counting.encoded = 0;
  if (!counting.possible) return;
  counting.possible = false;
  Addition addition{write, {}};
  NodeId from = kNone;
  if (!addsTo(cell.location, cell.value, addition.added, from)) return;
  std::reverse(addition.added.begin(), addition.added.end());
  const bool first = counting.writes.empty();
  const bool oneConstant =
      addition.added.size() == 1 && !addition.added[0].minus && terms_.isConst(addition.added[0].term);
  const uint64_t by = oneConstant ? terms_.constValue(addition.added[0].term) : 0;
  counting.sameConstant = oneConstant && (first || (counting.sameConstant && counting.by == by));
  counting.by = by;
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
  counting.writes.push_back(std::move(addition));
  constexpr size_t kMost = 128;  // writes: the network has their square
  counting.possible = (counting.allAtomic || !counting.mutexes.empty()) && counting.writes.size() <= kMost;
}

void Encoder::countWrites() {
  for (LocationId id = 0; id < locations_.size(); ++id) {
    LocationState& state = locations_[id];
    Counting& counting = state.counting;
    if (!counting.possible || counting.writes.size() < 2) continue;
    const Term initial = id < initial_.size() ? initial_[id] : kNoTerm;
    if (counting.sameConstant && initial != kNoTerm && !terms_.isConst(initial)) continue;
    // What was said under an older guard holds no more once the reads may find more.
    const Group& group = groups_[state.group];
    const size_t saidBefore = counting.version == group.version ? counting.encoded : 0;
    counting.version = group.version;
    for (; counting.encoded < state.readers.size(); ++counting.encoded) {
      if (stopped()) return;
      Reader& reader = state.readers[counting.encoded];
      if (reader.symbol != kNoTerm) count(counting, reader, initial);
    }
    for (size_t i = saidBefore; i < state.readers.size(); ++i) {
      const Reader& reader = state.readers[i];
      if (reader.counted == 0) continue;
      std::vector<Lit> clause = reader.uncertain;
      clause.insert(clause.end(), {group.guard, -encoded_[reader.node].on, reader.counted});
      solver_.addClause(clause);
    }
  }
}

void Encoder::count(const Counting& counting, Reader& reader, Term initial) {
  constexpr size_t kMostUncertain = 16;
  std::vector<const Addition*> before;
  reader.counted = 0;
  reader.uncertain.clear();
  for (const Addition& addition : counting.writes) {
    if (precedence_.always(addition.write, reader.node))
      before.push_back(&addition);
    else if (addition.write != reader.node && !precedence_.always(reader.node, addition.write))
      reader.uncertain.push_back(encoded_[addition.write].on);
  }
  if (before.size() < 2 || reader.uncertain.size() > kMostUncertain) return;
  if (counting.sameConstant)
    addCount(counting.by, reader, before, initial);
  else
    addSum(reader, before, initial);
}

void Encoder::addCount(uint64_t by, Reader& reader, const std::vector<const Addition*>& before,
                       Term initial) {
  std::vector<std::pair<Lit, int64_t>> ones;
  for (const Addition* addition : before) ones.emplace_back(encoded_[addition->write].on, 1);
  const std::vector<Lit> sum = countWeights(ones);
  reader.counted = solver_.newLit();
  const unsigned width = terms_.width(reader.symbol);
  const uint64_t start = initial == kNoTerm ? 0 : terms_.constValue(initial);
  for (size_t k = 0; k <= sum.size(); ++k) {
    const Lit atLeast = k == 0 ? Solver::kTrue : sum[k - 1];
    const Lit more = k < sum.size() ? sum[k] : -Solver::kTrue;
    const Lit exactly = solver_.newLit();
    solver_.addClause({-reader.counted, -atLeast, more, exactly});
    solver_.addEqualityIf(exactly, reader.symbol,
                          terms_.constant((start + k * by) & widthMask(width), width));
  }
}

void Encoder::addSum(Reader& reader, std::vector<const Addition*> before, Term initial) {
  constexpr size_t kMost = 32;  // writes: an adder each, and a second one
  if (before.size() > kMost) return;
  // Thread by thread, as a program most likely adds up what it expects: then both are one term.
  std::sort(before.begin(), before.end(), [&](const Addition* a, const Addition* b) {
    return std::pair(forest_[a->write].thread, a->write) < std::pair(forest_[b->write].thread, b->write);
  });
  const auto plus = [&](Term sum, const Addition& addition, std::optional<bool> constants = std::nullopt) {
    for (const Addend& addend : addition.added)
      if (!constants || *constants == terms_.isConst(addend.term))
        sum = terms_.binary(addend.minus ? TermOp::Sub : TermOp::Add, sum, addend.term);
    return sum;
  };
  const unsigned width = terms_.width(reader.symbol);
  const Term start = initial == kNoTerm ? terms_.constant(0, width) : initial;
  // Where all happen, one term says it, constants first; else each sum is the one before, or that and what
  // the write adds.
  Term ofAll = start, sum = start;
  for (const Addition* addition : before) ofAll = plus(ofAll, *addition, true);
  std::vector<Lit> notAll;
  for (const Addition* addition : before) {
    const Lit on = encoded_[addition->write].on;
    notAll.push_back(-on);
    ofAll = plus(ofAll, *addition, false);
    const Term next = terms_.symbol(width);
    solver_.addEqualityIf(on, next, plus(sum, *addition));
    solver_.addEqualityIf(-on, next, sum);
    sum = next;
  }
  const Lit all = solver_.newLit();
  reader.counted = solver_.newLit();
  solver_.addEqualityIf(reader.counted, reader.symbol, sum);
  notAll.insert(notAll.end(), {-reader.counted, all});
  solver_.addClause(notAll);
  solver_.addEqualityIf(all, reader.symbol, ofAll);
  reader.sums.push_back({kNone, all, ofAll});
}

}  // namespace heddle
