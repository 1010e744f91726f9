#include "analysis/explore/formula/equal_reads.h"

#include <algorithm>

namespace heddle {

namespace {

bool isComparison(TermOp op) {
  return op == TermOp::Eq || op == TermOp::Ult || op == TermOp::Ule || op == TermOp::Slt ||
         op == TermOp::Sle || op == TermOp::Sub;
}

}  // namespace

bool EqualReads::differOnlyInReads(Term a, Term b, std::vector<Terms>& reads, unsigned& steps) const {
  constexpr unsigned kMostSteps = 64;
  if (a == b) return true;
  if (++steps > kMostSteps) return false;
  const TermNode x = terms_.node(a), y = terms_.node(b);
  if (x.op != y.op || x.width != y.width) return false;
  if (x.op == TermOp::Symbol) {
    if (!reads_.readOf(a) && !reads_.readOf(b)) return false;
    reads.emplace_back(std::min(a, b), std::max(a, b));
    return true;
  }
  if (x.op == TermOp::Const || x.value != y.value) return false;
  const size_t before = reads.size();
  if (differOnlyInReads(x.a, y.a, reads, steps) && differOnlyInReads(x.b, y.b, reads, steps) &&
      differOnlyInReads(x.c, y.c, reads, steps))
    return true;
  reads.resize(before);
  return isCommutative(x.op) && differOnlyInReads(x.a, y.b, reads, steps) &&
         differOnlyInReads(x.b, y.a, reads, steps);
}

bool EqualReads::isSum(Term term) const {
  const TermOp op = terms_.node(term).op;
  return op == TermOp::Add || op == TermOp::Sub;
}

void EqualReads::noteCompared(Term condition) {
  std::vector<Term> open{condition};
  constexpr size_t kMostTerms = 256;
  std::vector<Terms> reads;
  for (size_t i = 0; i < open.size() && i < kMostTerms; ++i) {
    const TermNode n = terms_.node(open[i]);
    if (isComparison(n.op)) {
      unsigned steps = 0;
      reads.clear();
      if (differOnlyInReads(n.a, n.b, reads, steps))
        wantEqual(reads);
      else if ((isSum(n.a) && reads_.readOf(n.b)) || (isSum(n.b) && reads_.readOf(n.a)))
        wantEqual({{n.a, n.b}});
    }
    for (const Term operand : {n.a, n.b, n.c})
      if (operand != kNoTerm && std::find(open.begin(), open.end(), operand) == open.end())
        open.push_back(operand);
  }
}

void EqualReads::wantEqual(const std::vector<Terms>& reads) {
  constexpr size_t kMostPairs = 4096;
  for (const auto& pair : reads)
    if (pairs_.size() < kMostPairs && pairsKnown_.insert(pair).second)
      pairs_.push_back({pair.first, pair.second, 0, 0});
}

std::vector<EqualReads::Source> EqualReads::sourcesOf(Term symbol) const {
  const ReadEncoder::ReadCell* known = reads_.readOf(symbol);
  if (!known) return {{kNone, Solver::kTrue, symbol}};
  const ReadEncoder::ReadCell& read = *known;
  const ReadEncoder::Reader& reader = reads_.locations()[read.location].readers[read.reader];
  std::vector<Source> sources;
  for (const CountingLemma::Sum& sum : counting_.sums(read)) sources.push_back({kNone, sum.lit, sum.value});
  for (const auto& [write, lit] : reader.from)
    if (const Term value = cellAt(forest_[write], read.location)->value; value != kNoTerm)
      sources.push_back({write, lit, value});
  if (reader.fromInitial)
    sources.push_back({kNone, reader.fromInitial, reads_.initialValue(read.location, terms_.width(symbol))});
  return sources;
}

/// Both in one critical section or atomic section, so whoever sees one of them can be expected to see the
/// other.
bool EqualReads::writtenTogether(NodeId a, NodeId b) const {
  if (a == kNone || b == kNone) return a == b;
  const Node& x = forest_[a];
  const Node& y = forest_[b];
  if (x.thread != y.thread) return false;
  if (x.section != kNone && x.section == y.section) return true;
  return std::any_of(x.held.begin(), x.held.end(), [&](NodeId lock) {
    return std::find(y.held.begin(), y.held.end(), lock) != y.held.end();
  });
}

/// Reads of one location, or of the two that are compared: others are equal by chance only.
bool EqualReads::isLike(const Terms& reads, const EqualPair& pair) const {
  for (const Term term : {reads.first, reads.second, pair.a, pair.b})
    if (!reads_.readOf(term)) return false;
  const auto of = [&](Term symbol) { return reads_.readOf(symbol)->location; };
  const auto [a, b] = std::minmax({of(reads.first), of(reads.second)});
  return a == b || std::minmax({of(pair.a), of(pair.b)}) == std::pair(a, b);
}

void EqualReads::update() {
  std::vector<Terms> reads;
  std::vector<Lit> clause;
  for (size_t k = 0; k < pairs_.size(); ++k) {  // grows on the way
    const EqualPair pair = pairs_[k];
    const std::vector<Source> left = sourcesOf(pair.a), right = sourcesOf(pair.b);
    if (left.size() == pair.leftSeen && right.size() == pair.rightSeen) continue;
    pairs_[k].leftSeen = left.size();
    pairs_[k].rightSeen = right.size();
    constexpr size_t kFew = 2, kAll = 144, kMostSources = 50'000;
    const bool few = std::min(left.size(), right.size()) <= kFew;
    const bool all = left.size() * right.size() <= kAll && sourcesDone_.size() < kMostSources;
    for (const Source& l : left)
      for (const Source& r : right) {
        if (budget_.stopped()) return;
        if (!few && !all && !writtenTogether(l.write, r.write)) continue;
        const bool bothRead = l.lit != Solver::kTrue && r.lit != Solver::kTrue;
        if (bothRead && !sourcesDone_.insert({l.lit, r.lit}).second) continue;
        unsigned steps = 0;
        reads.clear();
        if (!differOnlyInReads(l.value, r.value, reads, steps)) continue;
        if (!few && !std::all_of(reads.begin(), reads.end(), [&](const auto& p) { return isLike(p, pair); }))
          continue;
        wantEqual(reads);
        clause.assign({-l.lit, -r.lit, solver_.condition(terms_.eq(pair.a, pair.b))});
        for (const auto& [p, q] : reads) clause.push_back(-solver_.condition(terms_.eq(p, q)));
        solver_.addClause(clause);
      }
  }
}

}  // namespace heddle
