// Ranges: bounds of what a location can hold, as implied constraints on its reads. They turn many proofs
// about counters from search into propagation. A bound speaks about the writes known now, so it holds under
// the guard of the location's reads.
//
// Two bounds: from all writes that are known, and from those that happen in the execution asked for. The
// second (increment-chain lemma: a read is at most the largest constant plus the increments that happen, and
// dually from below) refutes a combination of paths in which too few threads add something.
#include <cstdlib>

#include "analysis/explore/formula/encoder.h"

namespace heddle {

void Encoder::noteRange(LocationState& state, NodeId write, const NodeCell& cell) {
  state.bounded = 0;
  if (!state.range.known()) return;
  // Sums are kept small enough that they cannot overflow.
  constexpr int64_t kLargest = int64_t{1} << 48;
  auto inRange = [](int64_t v) { return v < kLargest && v > -kLargest; };
  const TermNode& value = terms_.node(cell.value);
  auto isOwnRead = [&](Term t) {
    const auto it = symbolRead_.find(t);
    return it != symbolRead_.end() && it->second.location == cell.location;
  };
  if (value.op == TermOp::Const) {
    const int64_t constant = signExtend(value.value, value.width);
    if (inRange(constant)) return state.range.constant(constant);
  } else if (isOwnRead(cell.value)) {
    return state.range.add(write, forest_[write].segment, cell.ownWrite, 0);
  } else if (value.op == TermOp::Add && isOwnRead(value.a) && terms_.isConst(value.b)) {
    const int64_t by = signExtend(terms_.constValue(value.b), value.width);
    if (inRange(by)) return state.range.add(write, forest_[write].segment, cell.ownWrite, by);
  }
  state.range.unknown();
}

void Encoder::boundReaders() {
  for (LocationId id = 0; id < locations_.size(); ++id) {
    LocationState& state = locations_[id];
    if (state.bounded == state.readers.size() || !state.range.known()) continue;
    ValueRange range = state.range;
    const Term initial = id < initial_.size() ? initial_[id] : kNoTerm;
    if (initial != kNoTerm && !terms_.isConst(initial)) continue;
    const size_t first = state.bounded;
    for (; state.bounded < state.readers.size(); ++state.bounded) {
      const Reader& reader = state.readers[state.bounded];
      if (reader.symbol == kNoTerm) continue;
      const unsigned width = terms_.width(reader.symbol);
      range.constant(initial == kNoTerm ? 0 : signExtend(terms_.constValue(initial), width));
      int64_t lower = 0, upper = 0;
      if (!range.bounds(width, lower, upper)) continue;
      const Lit on = encoded_[reader.node].on, unknown = groups_[state.group].guard;
      const Term low = terms_.constant(static_cast<uint64_t>(lower), width);
      const Term high = terms_.constant(static_cast<uint64_t>(upper), width);
      solver_.addClause({unknown, -on, solver_.condition(terms_.binary(TermOp::Sle, low, reader.symbol))});
      solver_.addClause({unknown, -on, solver_.condition(terms_.binary(TermOp::Sle, reader.symbol, high))});
    }
    for (const bool up : {true, false}) boundByIncrements(state, range, first, up);
  }
}

void Encoder::boundByIncrements(const LocationState& state, const ValueRange& range, size_t first, bool up) {
  std::vector<std::pair<Lit, int64_t>> weights;
  int64_t sum = 0;
  constexpr int64_t kLargestSum = 64;
  for (const auto& [write, by] : range.increments()) {
    if ((by > 0) != up) continue;
    weights.emplace_back(encoded_[write].on, std::abs(by));
    if (sum += std::abs(by); sum > kLargestSum) return;
  }
  constexpr size_t kMostConditions = 1024;
  if (weights.empty() || (state.readers.size() - first) * static_cast<size_t>(sum) > kMostConditions) return;
  const std::vector<Lit> atLeast = countWeights(weights);
  const Lit unknown = groups_[state.group].guard;
  for (size_t i = first; i < state.readers.size(); ++i) {
    const Reader& reader = state.readers[i];
    if (reader.symbol == kNoTerm) continue;
    const unsigned width = terms_.width(reader.symbol);
    int64_t lower = 0, upper = 0;
    if (!range.bounds(width, lower, upper)) continue;
    for (int64_t k = 1; k <= sum; ++k) {
      if (stopped()) return;
      const Term far =
          terms_.constant(static_cast<uint64_t>(up ? range.highest() + k : range.lowest() - k), width);
      const Lit reached = solver_.condition(up ? terms_.binary(TermOp::Sle, far, reader.symbol)
                                               : terms_.binary(TermOp::Sle, reader.symbol, far));
      solver_.addClause({unknown, -encoded_[reader.node].on, -reached, atLeast[static_cast<size_t>(k) - 1]});
    }
  }
}

std::vector<Lit> Encoder::countWeights(const std::vector<std::pair<Lit, int64_t>>& weights) {
  std::vector<Lit> sum;  // [k - 1]: at least k
  for (const auto& [lit, weight] : weights) {
    const size_t by = static_cast<size_t>(weight), most = sum.size() + by;
    std::vector<Lit> next;
    for (size_t k = 1; k <= most; ++k) {
      const Lit stays = k <= sum.size() ? sum[k - 1] : -Solver::kTrue;
      const Lit carried = k <= by ? Solver::kTrue : sum[k - by - 1];
      const Lit out = solver_.newLit();
      solver_.addClause({-stays, out});
      solver_.addClause({-carried, -lit, out});
      solver_.addClause({-out, stays, carried});
      solver_.addClause({-out, stays, lit});
      next.push_back(out);
    }
    sum = std::move(next);
  }
  return sum;
}

}  // namespace heddle
