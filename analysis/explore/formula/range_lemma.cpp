#include "analysis/explore/formula/range_lemma.h"

#include <cstdlib>

#include "analysis/explore/formula/weighted_count.h"

namespace heddle {

void RangeLemma::note(NodeId write) {
  for (const NodeCell& cell : forest_[write].cells) noteCell(write, cell);
}

void RangeLemma::noteCell(NodeId write, const NodeCell& cell) {
  if (cell.location >= bounds_.size()) bounds_.resize(cell.location + 1);
  Bounds& bounds = bounds_[cell.location];
  bounds.bounded = 0;
  if (!bounds.range.known()) return;
  // Sums are kept small enough that they cannot overflow.
  constexpr int64_t kLargest = int64_t{1} << 48;
  auto inRange = [](int64_t v) { return v < kLargest && v > -kLargest; };
  const TermNode& value = terms_.node(cell.value);
  auto isOwnRead = [&](Term t) {
    const ReadEncoder::ReadCell* read = reads_.readOf(t);
    return read && read->location == cell.location;
  };
  if (value.op == TermOp::Const) {
    const int64_t constant = signExtend(value.value, value.width);
    if (inRange(constant)) return bounds.range.constant(constant);
  } else if (isOwnRead(cell.value)) {
    return bounds.range.add(write, forest_[write].segment, cell.ownWrite, 0);
  } else if (value.op == TermOp::Add && isOwnRead(value.a) && terms_.isConst(value.b)) {
    const int64_t by = signExtend(terms_.constValue(value.b), value.width);
    if (inRange(by)) return bounds.range.add(write, forest_[write].segment, cell.ownWrite, by);
  }
  bounds.range.unknown();
}

void RangeLemma::update() {
  const std::vector<ReadEncoder::Location>& locations = reads_.locations();
  bounds_.resize(locations.size());
  for (LocationId id = 0; id < locations.size(); ++id) {
    const ReadEncoder::Location& location = locations[id];
    Bounds& bounds = bounds_[id];
    if (bounds.bounded == location.readers.size() || !bounds.range.known()) continue;
    ValueRange range = bounds.range;
    const Term initial = reads_.initial(id);
    if (initial != kNoTerm && !terms_.isConst(initial)) continue;
    const size_t first = bounds.bounded;
    for (; bounds.bounded < location.readers.size(); ++bounds.bounded) {
      const ReadEncoder::Reader& reader = location.readers[bounds.bounded];
      if (reader.symbol == kNoTerm) continue;
      const unsigned width = terms_.width(reader.symbol);
      range.constant(initial == kNoTerm ? 0 : signExtend(terms_.constValue(initial), width));
      int64_t lower = 0, upper = 0;
      if (!range.bounds(width, lower, upper)) continue;
      const Lit on = nodes_.on(reader.node), unknown = guards_.groups()[location.group].guard;
      const Term low = terms_.constant(static_cast<uint64_t>(lower), width);
      const Term high = terms_.constant(static_cast<uint64_t>(upper), width);
      solver_.addClause({unknown, -on, solver_.condition(terms_.binary(TermOp::Sle, low, reader.symbol))});
      solver_.addClause({unknown, -on, solver_.condition(terms_.binary(TermOp::Sle, reader.symbol, high))});
    }
    for (const bool up : {true, false}) boundByIncrements(location, range, first, up);
  }
}

void RangeLemma::boundByIncrements(const ReadEncoder::Location& location, const ValueRange& range,
                                   size_t first, bool up) {
  std::vector<std::pair<Lit, int64_t>> weights;
  int64_t sum = 0;
  constexpr int64_t kLargestSum = 64;
  for (const auto& [write, by] : range.increments()) {
    if ((by > 0) != up) continue;
    weights.emplace_back(nodes_.on(write), std::abs(by));
    if (sum += std::abs(by); sum > kLargestSum) return;
  }
  constexpr size_t kMostConditions = 1024;
  if (weights.empty() || (location.readers.size() - first) * static_cast<size_t>(sum) > kMostConditions)
    return;
  const std::vector<Lit> atLeast = countWeights(solver_, weights);
  const Lit unknown = guards_.groups()[location.group].guard;
  for (size_t i = first; i < location.readers.size(); ++i) {
    const ReadEncoder::Reader& reader = location.readers[i];
    if (reader.symbol == kNoTerm) continue;
    const unsigned width = terms_.width(reader.symbol);
    int64_t lower = 0, upper = 0;
    if (!range.bounds(width, lower, upper)) continue;
    for (int64_t k = 1; k <= sum; ++k) {
      if (budget_.stopped()) return;
      const Term far =
          terms_.constant(static_cast<uint64_t>(up ? range.highest() + k : range.lowest() - k), width);
      const Lit reached = solver_.condition(up ? terms_.binary(TermOp::Sle, far, reader.symbol)
                                               : terms_.binary(TermOp::Sle, reader.symbol, far));
      solver_.addClause({unknown, -nodes_.on(reader.node), -reached, atLeast[static_cast<size_t>(k) - 1]});
    }
  }
}

}  // namespace heddle
