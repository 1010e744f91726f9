#include "analysis/explore/formula/read_encoder.h"

#include <algorithm>

namespace heddle {

void ReadEncoder::encodeReads(NodeId id) {
  for (const NodeCell& cell : forest_[id].cells) {
    Location& location = locationOf(cell);
    if (cell.symbol != kNoTerm) symbolRead_[cell.symbol] = {cell.location, id, location.readers.size()};
    Reader reader;
    reader.node = id;
    reader.symbol = cell.symbol;
    const Lit on = nodes_.on(id);
    if (cell.symbol != kNoTerm) solver_.guardSymbol(cell.symbol, on);
    reader.guard = guards_.newGuard(location.group, on);
    if (cell.ownWrite != kNone) {
      addOwn(reader, cell.ownWrite, cell.location);
    } else {
      const ReachingWrites::Set own = reaching_.at(forest_[id].segment, cell.location);
      if (own.none) addInitial(reader, cell.location);
      for (const NodeId write : own.writes) addOwn(reader, write, cell.location);
    }
    for (const NodeId write : location.writes) {
      if (budget_.stopped()) return;
      if (mayReadFrom(reader, write)) addReadFrom(reader, write, cell.location);
    }
    std::vector<Lit> sources{-on, guards_.lit(reader.guard)};
    if (reader.fromInitial) sources.push_back(reader.fromInitial);
    for (const auto& [write, lit] : reader.from) sources.push_back(lit);
    solver_.addClause(sources);
    for (const NodeId other : location.writes) {
      if (reader.fromInitial) addFromRead(reader, reader.fromInitial, kNone, other, cell.location);
      for (const auto& [write, lit] : reader.from) addFromRead(reader, lit, write, other, cell.location);
    }
    location.readers.push_back(std::move(reader));
  }
}

void ReadEncoder::encodeWrites(NodeId id) {
  for (const NodeCell& cell : forest_[id].cells) {
    Location& location = locationOf(cell);
    location.writes.push_back(id);
    const NodeId segment = forest_[id].segment;
    if (cell.ownWrite == kNone && forest_[segment].kind == NodeKind::Merge) {
      const ReachingWrites::Set& above = reaching_.at(segment, cell.location);
      location.firstWrites.push_back({id, above.writes, above.none});
    }
    for (Reader& reader : location.readers) {
      if (reader.node == id) continue;
      if (budget_.stopped()) return;
      if (reader.fromInitial) addFromRead(reader, reader.fromInitial, kNone, id, cell.location);
      for (const auto& [write, lit] : reader.from) addFromRead(reader, lit, write, id, cell.location);
      if (!mayReadFrom(reader, id)) continue;
      const Lit lit = addReadFrom(reader, id, cell.location);
      guards_.grow(reader.guard, lit);
      for (const NodeId other : location.writes)
        if (other != id) addFromRead(reader, lit, id, other, cell.location);
    }
  }
}

bool ReadEncoder::mayReadFrom(const Reader& reader, NodeId write) const {
  // The thread's own writes come in through addOwn.
  if (forest_[write].thread == forest_[reader.node].thread) return false;
  if (precedence_.always(reader.node, write)) return false;
  // A write that another one of the reader's thread, which always happens, overwrites before.
  return reader.fromInitial || reader.own.size() != 1 || !precedence_.always(write, reader.own.front());
}

void ReadEncoder::addInitial(Reader& reader, LocationId location) {
  const Lit lit = reader.fromInitial = solver_.newLit();
  solver_.guard(lit, nodes_.on(reader.node));
  if (reader.symbol != kNoTerm)
    solver_.addEqualityIf(lit, reader.symbol, initialValue(location, terms_.width(reader.symbol)));
  for (const NodeId own : reader.own) solver_.addClause({-lit, -nodes_.on(own)});
}

void ReadEncoder::addOwn(Reader& reader, NodeId write, LocationId location) {
  if (reader.fromInitial) solver_.addClause({-reader.fromInitial, -nodes_.on(write)});
  for (const auto& [from, lit] : reader.from)
    solver_.addClause({-lit, -nodes_.on(write), sections_.before(write, from)});
  const Lit lit = addReadFrom(reader, write, location);
  for (const NodeId other : reader.own)
    solver_.addClause({-lit, -nodes_.on(other), sections_.before(other, write)});
  reader.own.push_back(write);
}

Lit ReadEncoder::addReadFrom(Reader& reader, NodeId write, LocationId location) {
  const Lit lit = solver_.newLit();
  solver_.guard(lit, nodes_.on(reader.node));
  solver_.addClause({-lit, nodes_.on(write)});
  if (forest_[write].thread != forest_[reader.node].thread) {
    solver_.addClause({-lit, sections_.before(write, reader.node)});
    for (const NodeId own : reader.own)
      solver_.addClause({-lit, -nodes_.on(own), sections_.before(own, write)});
  }
  const NodeCell* cell = cellAt(forest_[write], location);
  if (reader.symbol != kNoTerm && cell->value != kNoTerm)
    solver_.addEqualityIf(lit, reader.symbol, cell->value);
  reader.from.emplace_back(write, lit);
  return lit;
}

Lit ReadEncoder::readsFrom(NodeId read, LocationId location, NodeId write) const {
  for (const Reader& reader : locations_[location].readers) {
    if (reader.node != read) continue;
    if (write == kNone) return reader.fromInitial ? reader.fromInitial : -Solver::kTrue;
    for (const auto& [source, lit] : reader.from)
      if (source == write) return lit;
  }
  return -Solver::kTrue;
}

bool ReadEncoder::mayFollow(NodeId write, NodeId previous, LocationId location) {
  const Node& w = forest_[write];
  const NodeId last = cellAt(w, location)->ownWrite;
  if (last != kNone) return last == previous;
  const ReachingWrites::Set& above = reaching_.at(w.segment, location);
  return previous == kNone ? above.none : above.contains(previous);
}

void ReadEncoder::addFromRead(const Reader& reader, Lit lit, NodeId from, NodeId other, LocationId location) {
  if (budget_.stopped()) return;
  const NodeId read = reader.node;
  if (other == read || other == from) return;
  const Node& o = forest_[other];
  if (o.thread == forest_[read].thread) return;  // see addOwn
  if (from == kNone || o.thread == forest_[from].thread) {
    if (mayFollow(other, from, location))
      solver_.addClause({-lit, -nodes_.on(other), sections_.before(read, other)});
    return;
  }
  if (precedence_.always(read, other) || precedence_.always(other, from)) return;
  solver_.addClause({-lit, -nodes_.on(other), sections_.before(other, from), sections_.before(read, other)});
}

void ReadEncoder::updateOwnWrites() {
  if (ownWritesAt_ == forest_.mergeEdges().size()) return;
  ownWritesAt_ = forest_.mergeEdges().size();
  reaching_.see(ownWritesAt_);
  for (LocationId id = 0; id < locations_.size(); ++id) {
    Location& location = locations_[id];
    updateFirstWrites(id, location);
    for (Reader& reader : location.readers) {
      if (budget_.stopped()) return;
      updateReader(reader, id, location);
    }
  }
}

void ReadEncoder::updateFirstWrites(LocationId id, Location& location) {
  for (FirstWrite& first : location.firstWrites) {
    const ReachingWrites::Set above = reaching_.at(forest_[first.node].segment, id);
    if (above.writes == first.previous && above.none == first.maybeFirst) continue;
    for (const Reader& reader : location.readers) {
      if (budget_.stopped()) return;
      if (above.none && !first.maybeFirst && reader.fromInitial)
        addFromRead(reader, reader.fromInitial, kNone, first.node, id);
      for (const auto& [write, lit] : reader.from)
        if (above.contains(write) && !std::binary_search(first.previous.begin(), first.previous.end(), write))
          addFromRead(reader, lit, write, first.node, id);
    }
    first.previous = above.writes;
    first.maybeFirst = above.none;
  }
}

void ReadEncoder::updateReader(Reader& reader, LocationId id, const Location& location) {
  const Node& n = forest_[reader.node];
  if (forest_[n.segment].kind != NodeKind::Merge || cellAt(n, id)->ownWrite != kNone) return;
  const ReachingWrites::Set above = reaching_.at(n.segment, id);
  const bool initial = above.none && !reader.fromInitial;
  const size_t before = reader.from.size();
  const bool wasOnly = !reader.fromInitial && reader.own.size() == 1;
  if (initial) addInitial(reader, id);
  for (const NodeId write : above.writes)
    if (std::find(reader.own.begin(), reader.own.end(), write) == reader.own.end()) addOwn(reader, write, id);
  if (!initial && reader.from.size() == before) return;
  // What one certain own write had overwritten may be read on the new way.
  if (wasOnly)
    for (const NodeId write : location.writes)
      if (mayReadFrom(reader, write) && std::none_of(reader.from.begin(), reader.from.end(),
                                                     [&](const auto& f) { return f.first == write; }))
        addReadFrom(reader, write, id);
  if (initial) guards_.grow(reader.guard, reader.fromInitial);
  for (size_t i = before; i < reader.from.size(); ++i) guards_.grow(reader.guard, reader.from[i].second);
  for (const NodeId other : location.writes) {
    if (initial) addFromRead(reader, reader.fromInitial, kNone, other, id);
    for (size_t i = before; i < reader.from.size(); ++i)
      addFromRead(reader, reader.from[i].second, reader.from[i].first, other, id);
  }
}

ReadEncoder::Location& ReadEncoder::locationOf(const NodeCell& cell) {
  if (cell.location >= locations_.size()) locations_.resize(cell.location + 1);
  Location& location = locations_[cell.location];
  if (location.group == kNone) location.group = guards_.newGroup(true);
  return location;
}

std::span<const NodeId> ReadEncoder::writes(LocationId location) const {
  return location < locations_.size() ? locations_[location].writes : std::span<const NodeId>();
}

const ReadEncoder::ReadCell* ReadEncoder::readOf(Term symbol) const {
  const auto it = symbolRead_.find(symbol);
  return it == symbolRead_.end() ? nullptr : &it->second;
}

Term ReadEncoder::initial(LocationId location) const {
  return location < initial_.size() ? initial_[location] : kNoTerm;
}

Term ReadEncoder::initialValue(LocationId location, unsigned width) const {
  const Term known = initial(location);
  return known == kNoTerm ? terms_.constant(0, width) : known;
}

}  // namespace heddle
