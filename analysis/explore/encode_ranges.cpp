// Ranges: bounds of what a location can hold, as implied constraints on its reads. They turn many proofs
// about counters from search into propagation. A bound speaks about the writes known now, so it holds under
// the guard of the location's reads.
#include "analysis/explore/encoder.h"

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
  }
}

}  // namespace heddle
