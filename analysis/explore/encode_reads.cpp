// Reads: data consistency (MPC, formula 1) over all paths: each read takes its value from one write, or from
// the initial value, and no other write that happens comes between them.
#include "analysis/explore/encoder.h"

namespace heddle {

void Encoder::encodeReads(NodeId id) {
  for (const NodeCell& cell : forest_[id].cells) {
    LocationState& state = location(cell.location);
    if (state.group == kNone) state.group = newGroup();
    if (cell.symbol != kNoTerm) symbolLocation_[cell.symbol] = cell.location;
    Reader reader;
    reader.node = id;
    reader.symbol = cell.symbol;
    reader.ownWrite = cell.ownWrite;
    const Lit on = encoded_[id].on;
    if (cell.symbol != kNoTerm) solver_.guardSymbol(cell.symbol, on);
    std::vector<Lit> clause{-on};
    if (reader.ownWrite == kNone) {
      reader.fromInitial = solver_.newLit();
      solver_.guard(reader.fromInitial, on);
      Term initial = cell.location < initial_.size() ? initial_[cell.location] : kNoTerm;
      if (initial == kNoTerm) initial = terms_.constant(0, terms_.width(cell.symbol));
      if (cell.symbol != kNoTerm) solver_.addEqualityIf(reader.fromInitial, cell.symbol, initial);
      clause.push_back(reader.fromInitial);
    }
    for (const NodeId write : state.writes)
      if (!stopped() && mayReadFrom(reader, write, cell.location))
        clause.push_back(addReadFrom(reader, write, cell.location));
    reader.guard = newGuard(state.group, on);
    clause.push_back(guardLit(reader.guard));
    solver_.addClause(clause);
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
    if (state.group == kNone) state.group = newGroup();
    state.writes.push_back(id);
    noteRange(state, id, cell);
    for (Reader& reader : state.readers) {
      if (reader.node == id) continue;
      if (stopped()) return;
      if (reader.fromInitial) addFromRead(reader, reader.fromInitial, kNone, id, cell.location);
      for (const auto& [write, lit] : reader.from) addFromRead(reader, lit, write, id, cell.location);
      if (!mayReadFrom(reader, id, cell.location)) continue;
      const Lit lit = addReadFrom(reader, id, cell.location);
      grow(reader.guard, lit);
      for (const NodeId other : state.writes)
        if (other != id) addFromRead(reader, lit, id, other, cell.location);
    }
  }
}

bool Encoder::mayReadFrom(const Reader& reader, NodeId write, LocationId) const {
  if (write == reader.node) return false;
  if (forest_[write].thread == forest_[reader.node].thread) return write == reader.ownWrite;
  if (precedence_.always(reader.node, write)) return false;
  return reader.ownWrite == kNone || !precedence_.always(write, reader.ownWrite);
}

Lit Encoder::addReadFrom(Reader& reader, NodeId write, LocationId location) {
  const Lit lit = solver_.newLit();
  solver_.guard(lit, encoded_[reader.node].on);
  solver_.addClause({-lit, encoded_[write].on});
  if (forest_[write].thread != forest_[reader.node].thread)
    solver_.addClause({-lit, before(write, reader.node)});
  const NodeCell* cell = cellAt(forest_[write], location);
  if (reader.symbol != kNoTerm && cell->value != kNoTerm)
    solver_.addEqualityIf(lit, reader.symbol, cell->value);
  reader.from.emplace_back(write, lit);
  return lit;
}

void Encoder::addFromRead(const Reader& reader, Lit lit, NodeId from, NodeId other, LocationId location) {
  if (stopped()) return;
  const NodeId read = reader.node;
  if (other == read || other == from) return;
  const Node& o = forest_[other];
  const NodeId previous = cellAt(o, location)->ownWrite;
  if (o.thread == forest_[read].thread) {
    // Only the reader's own last write can come in between; earlier ones precede it, later ones follow the
    // read.
    if (other != reader.ownWrite || from == kNone || forest_[from].thread == o.thread) return;
    solver_.addClause({-lit, before(other, from)});
    return;
  }
  if (from == kNone) {
    // The thread's first write decides for all its later ones.
    if (previous == kNone) solver_.addClause({-lit, -encoded_[other].on, before(read, other)});
    return;
  }
  if (o.thread == forest_[from].thread) {
    // Likewise the next write after `from`.
    if (previous == from) solver_.addClause({-lit, -encoded_[other].on, before(read, other)});
    return;
  }
  if (precedence_.always(read, other) || precedence_.always(other, from)) return;
  solver_.addClause({-lit, -encoded_[other].on, before(other, from), before(read, other)});
}

}  // namespace heddle
