// Reads: data consistency (MPC, formula 1) over all paths: each read takes its value from one write, or from
// the initial value, and no other write that happens comes between them.
//
// Of the writes of one thread only neighbours matter: of the reader's own, those that may be the last ones
// before it; of the others, those that may come next after the write that is read (the first ones, after the
// initial value).
#include <algorithm>

#include "analysis/explore/formula/encoder.h"

namespace heddle {

void Encoder::encodeReads(NodeId id) {
  for (const NodeCell& cell : forest_[id].cells) {
    LocationState& state = location(cell.location);
    if (state.group == kNone) state.group = newGroup(true);
    if (cell.symbol != kNoTerm) symbolRead_[cell.symbol] = {cell.location, id, state.readers.size()};
    Reader reader;
    reader.node = id;
    reader.symbol = cell.symbol;
    const Lit on = encoded_[id].on;
    if (cell.symbol != kNoTerm) solver_.guardSymbol(cell.symbol, on);
    reader.guard = newGuard(state.group, on);
    if (cell.ownWrite != kNone) {
      addOwn(reader, cell.ownWrite, cell.location);
    } else {
      const ReachingWrites::Set own = reaching_.at(forest_[id].segment, cell.location);
      if (own.none) addInitial(reader, cell.location);
      for (const NodeId write : own.writes) addOwn(reader, write, cell.location);
    }
    for (const NodeId write : state.writes) {
      if (stopped()) return;
      if (mayReadFrom(reader, write)) addReadFrom(reader, write, cell.location);
    }
    std::vector<Lit> sources{-on, guardLit(reader.guard)};
    if (reader.fromInitial) sources.push_back(reader.fromInitial);
    for (const auto& [write, lit] : reader.from) sources.push_back(lit);
    solver_.addClause(sources);
    for (const NodeId other : state.writes) {
      if (reader.fromInitial) addFromRead(reader, reader.fromInitial, kNone, other, cell.location);
      for (const auto& [write, lit] : reader.from) addFromRead(reader, lit, write, other, cell.location);
    }
    state.readers.push_back(std::move(reader));
  }
}

void Encoder::encodeWrites(NodeId id) {
  for (const NodeCell& cell : forest_[id].cells) {
    LocationState& state = location(cell.location);
    if (state.group == kNone) state.group = newGroup(true);
    state.writes.push_back(id);
    const NodeId segment = forest_[id].segment;
    if (cell.ownWrite == kNone && forest_[segment].kind == NodeKind::Merge) {
      const ReachingWrites::Set& above = reaching_.at(segment, cell.location);
      state.firstWrites.push_back({id, above.writes, above.none});
    }
    noteRange(state, id, cell);
    noteCounting(state, id, cell);
    for (Reader& reader : state.readers) {
      if (reader.node == id) continue;
      if (stopped()) return;
      if (reader.fromInitial) addFromRead(reader, reader.fromInitial, kNone, id, cell.location);
      for (const auto& [write, lit] : reader.from) addFromRead(reader, lit, write, id, cell.location);
      if (!mayReadFrom(reader, id)) continue;
      const Lit lit = addReadFrom(reader, id, cell.location);
      grow(reader.guard, lit);
      for (const NodeId other : state.writes)
        if (other != id) addFromRead(reader, lit, id, other, cell.location);
    }
  }
}

bool Encoder::mayReadFrom(const Reader& reader, NodeId write) const {
  // The thread's own writes come in through addOwn.
  if (forest_[write].thread == forest_[reader.node].thread) return false;
  if (precedence_.always(reader.node, write)) return false;
  // A write that another one of the reader's thread, which always happens, overwrites before.
  return reader.fromInitial || reader.own.size() != 1 || !precedence_.always(write, reader.own.front());
}

void Encoder::addInitial(Reader& reader, LocationId location) {
  const Lit lit = reader.fromInitial = solver_.newLit();
  solver_.guard(lit, encoded_[reader.node].on);
  if (reader.symbol != kNoTerm) {
    Term initial = location < initial_.size() ? initial_[location] : kNoTerm;
    if (initial == kNoTerm) initial = terms_.constant(0, terms_.width(reader.symbol));
    solver_.addEqualityIf(lit, reader.symbol, initial);
  }
  for (const NodeId own : reader.own) solver_.addClause({-lit, -encoded_[own].on});
}

void Encoder::addOwn(Reader& reader, NodeId write, LocationId location) {
  if (reader.fromInitial) solver_.addClause({-reader.fromInitial, -encoded_[write].on});
  for (const auto& [from, lit] : reader.from)
    solver_.addClause({-lit, -encoded_[write].on, before(write, from)});
  const Lit lit = addReadFrom(reader, write, location);
  for (const NodeId other : reader.own) solver_.addClause({-lit, -encoded_[other].on, before(other, write)});
  reader.own.push_back(write);
}

Lit Encoder::addReadFrom(Reader& reader, NodeId write, LocationId location) {
  const Lit lit = solver_.newLit();
  solver_.guard(lit, encoded_[reader.node].on);
  solver_.addClause({-lit, encoded_[write].on});
  if (forest_[write].thread != forest_[reader.node].thread) {
    solver_.addClause({-lit, before(write, reader.node)});
    for (const NodeId own : reader.own) solver_.addClause({-lit, -encoded_[own].on, before(own, write)});
  }
  const NodeCell* cell = cellAt(forest_[write], location);
  if (reader.symbol != kNoTerm && cell->value != kNoTerm)
    solver_.addEqualityIf(lit, reader.symbol, cell->value);
  reader.from.emplace_back(write, lit);
  return lit;
}

Lit Encoder::readsFrom(NodeId read, LocationId location, NodeId write) const {
  for (const Reader& reader : locations_[location].readers) {
    if (reader.node != read) continue;
    if (write == kNone) return reader.fromInitial ? reader.fromInitial : -Solver::kTrue;
    for (const auto& [source, lit] : reader.from)
      if (source == write) return lit;
  }
  return -Solver::kTrue;
}

bool Encoder::mayFollow(NodeId write, NodeId previous, LocationId location) {
  const Node& w = forest_[write];
  const NodeId last = cellAt(w, location)->ownWrite;
  if (last != kNone) return last == previous;
  const ReachingWrites::Set& above = reaching_.at(w.segment, location);
  return previous == kNone ? above.none : above.contains(previous);
}

void Encoder::addFromRead(const Reader& reader, Lit lit, NodeId from, NodeId other, LocationId location) {
  if (stopped()) return;
  const NodeId read = reader.node;
  if (other == read || other == from) return;
  const Node& o = forest_[other];
  if (o.thread == forest_[read].thread) return;  // see addOwn
  if (from == kNone || o.thread == forest_[from].thread) {
    if (mayFollow(other, from, location)) solver_.addClause({-lit, -encoded_[other].on, before(read, other)});
    return;
  }
  if (precedence_.always(read, other) || precedence_.always(other, from)) return;
  solver_.addClause({-lit, -encoded_[other].on, before(other, from), before(read, other)});
}

void Encoder::updateOwnWrites() {
  if (ownWritesAt_ == forest_.mergeEdges().size()) return;
  ownWritesAt_ = forest_.mergeEdges().size();
  reaching_.see(ownWritesAt_);
  for (LocationId id = 0; id < locations_.size(); ++id) {
    LocationState& state = locations_[id];
    for (FirstWrite& first : state.firstWrites) {
      const ReachingWrites::Set above = reaching_.at(forest_[first.node].segment, id);
      if (above.writes == first.previous && above.none == first.maybeFirst) continue;
      for (const Reader& reader : state.readers) {
        if (stopped()) return;
        if (above.none && !first.maybeFirst && reader.fromInitial)
          addFromRead(reader, reader.fromInitial, kNone, first.node, id);
        for (const auto& [write, lit] : reader.from)
          if (above.contains(write) &&
              !std::binary_search(first.previous.begin(), first.previous.end(), write))
            addFromRead(reader, lit, write, first.node, id);
      }
      first.previous = above.writes;
      first.maybeFirst = above.none;
    }
    for (Reader& reader : state.readers) {
      if (stopped()) return;
      const Node& n = forest_[reader.node];
      if (forest_[n.segment].kind != NodeKind::Merge || cellAt(n, id)->ownWrite != kNone) continue;
      const ReachingWrites::Set above = reaching_.at(n.segment, id);
      const bool initial = above.none && !reader.fromInitial;
      const size_t before = reader.from.size();
      const bool wasOnly = !reader.fromInitial && reader.own.size() == 1;
      if (initial) addInitial(reader, id);
      for (const NodeId write : above.writes)
        if (std::find(reader.own.begin(), reader.own.end(), write) == reader.own.end())
          addOwn(reader, write, id);
      if (!initial && reader.from.size() == before) continue;
      // What one certain own write had overwritten may be read on the new way.
      if (wasOnly)
        for (const NodeId write : state.writes)
          if (mayReadFrom(reader, write) && std::none_of(reader.from.begin(), reader.from.end(),
                                                         [&](const auto& f) { return f.first == write; }))
            addReadFrom(reader, write, id);
      if (initial) grow(reader.guard, reader.fromInitial);
      for (size_t i = before; i < reader.from.size(); ++i) grow(reader.guard, reader.from[i].second);
      for (const NodeId other : state.writes) {
        if (initial) addFromRead(reader, reader.fromInitial, kNone, other, id);
        for (size_t i = before; i < reader.from.size(); ++i)
          addFromRead(reader, reader.from[i].second, reader.from[i].first, other, id);
      }
    }
  }
}

}  // namespace heddle
