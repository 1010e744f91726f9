#include "analysis/explore/formula/counting_lemma.h"

#include <algorithm>
#include <optional>

#include "analysis/explore/formula/weighted_count.h"

namespace heddle {

bool CountingLemma::addsTo(LocationId location, Term value, std::vector<Addend>& added, NodeId& read) const {
  constexpr size_t kMost = 6;  // addends
  if (const ReadEncoder::ReadCell* known = reads_.readOf(value)) {
    read = known->node;
    return known->location == location && !added.empty();
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

void CountingLemma::note(NodeId write) {
  for (const NodeCell& cell : forest_[write].cells) noteCell(write, cell);
}

void CountingLemma::noteCell(NodeId write, const NodeCell& cell) {
  if (cell.location >= counted_.size()) counted_.resize(cell.location + 1);
  Counting& counting = counted_[cell.location];
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

void CountingLemma::update() {
  for (LocationId id = 0; id < counted_.size(); ++id) {
    Counting& counting = counted_[id];
    if (!counting.possible || counting.writes.size() < 2) continue;
    const Term initial = reads_.initial(id);
    if (counting.sameConstant && initial != kNoTerm && !terms_.isConst(initial)) continue;
    const ReadEncoder::Location& location = reads_.locations()[id];
    counting.counts.resize(location.readers.size());
    // What was said under an older guard holds no more once the reads may find more.
    const GrowthGuards::Group& group = guards_.groups()[location.group];
    const size_t saidBefore = counting.version == group.version ? counting.encoded : 0;
    counting.version = group.version;
    for (; counting.encoded < location.readers.size(); ++counting.encoded) {
      if (budget_.stopped()) return;
      const ReadEncoder::Reader& reader = location.readers[counting.encoded];
      if (reader.symbol != kNoTerm) countBefore(counting, reader, counting.counts[counting.encoded], initial);
    }
    for (size_t i = saidBefore; i < location.readers.size(); ++i) {
      const Count& count = counting.counts[i];
      if (count.holds == 0) continue;
      std::vector<Lit> clause = count.uncertain;
      clause.insert(clause.end(), {group.guard, -nodes_.on(location.readers[i].node), count.holds});
      solver_.addClause(clause);
    }
  }
}

void CountingLemma::countBefore(const Counting& counting, const ReadEncoder::Reader& reader, Count& count,
                                Term initial) {
  constexpr size_t kMostUncertain = 16;
  std::vector<const Addition*> before;
  count.holds = 0;
  count.uncertain.clear();
  for (const Addition& addition : counting.writes) {
    if (precedence_.always(addition.write, reader.node))
      before.push_back(&addition);
    else if (addition.write != reader.node && !precedence_.always(reader.node, addition.write))
      count.uncertain.push_back(nodes_.on(addition.write));
  }
  if (before.size() < 2 || count.uncertain.size() > kMostUncertain) return;
  if (counting.sameConstant)
    addCount(counting.by, reader, count, before, initial);
  else
    addSum(reader, count, before, initial);
}

void CountingLemma::addCount(uint64_t by, const ReadEncoder::Reader& reader, Count& count,
                             const std::vector<const Addition*>& before, Term initial) {
  std::vector<std::pair<Lit, int64_t>> ones;
  for (const Addition* addition : before) ones.emplace_back(nodes_.on(addition->write), 1);
  const std::vector<Lit> sum = countWeights(solver_, ones);
  count.holds = solver_.newLit();
  const unsigned width = terms_.width(reader.symbol);
  const uint64_t start = initial == kNoTerm ? 0 : terms_.constValue(initial);
  for (size_t k = 0; k <= sum.size(); ++k) {
    const Lit atLeast = k == 0 ? Solver::kTrue : sum[k - 1];
    const Lit more = k < sum.size() ? sum[k] : -Solver::kTrue;
    const Lit exactly = solver_.newLit();
    solver_.addClause({-count.holds, -atLeast, more, exactly});
    solver_.addEqualityIf(exactly, reader.symbol,
                          terms_.constant((start + k * by) & widthMask(width), width));
  }
}

void CountingLemma::addSum(const ReadEncoder::Reader& reader, Count& count,
                           std::vector<const Addition*> before, Term initial) {
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
    const Lit on = nodes_.on(addition->write);
    notAll.push_back(-on);
    ofAll = plus(ofAll, *addition, false);
    const Term next = terms_.symbol(width);
    solver_.addEqualityIf(on, next, plus(sum, *addition));
    solver_.addEqualityIf(-on, next, sum);
    sum = next;
  }
  const Lit all = solver_.newLit();
  count.holds = solver_.newLit();
  solver_.addEqualityIf(count.holds, reader.symbol, sum);
  notAll.insert(notAll.end(), {-count.holds, all});
  solver_.addClause(notAll);
  solver_.addEqualityIf(all, reader.symbol, ofAll);
  count.sums.push_back({all, ofAll});
}

std::span<const CountingLemma::Sum> CountingLemma::sums(const ReadEncoder::ReadCell& read) const {
  if (read.location >= counted_.size()) return {};
  const std::vector<Count>& counts = counted_[read.location].counts;
  return read.reader < counts.size() ? counts[read.reader].sums : std::span<const Sum>();
}

}  // namespace heddle
