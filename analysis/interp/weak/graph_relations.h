// GraphRelations: the vertices of an execution graph and the relations between them that the axioms of all
// memory models speak of.
//
// Threading: values.
#pragma once

#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/interp/weak/execution_graph.h"

namespace heddle {

/// Over numbers 0 … size-1, a row of bits for each.
class Relation {
 public:
  explicit Relation(size_t size) : words_((size + 63) / 64), rows_(size, std::vector<uint64_t>(words_)) {}

  size_t size() const { return rows_.size(); }
  void add(size_t a, size_t b) { rows_[a][b / 64] |= uint64_t{1} << (b % 64); }
  bool has(size_t a, size_t b) const { return (rows_[a][b / 64] >> (b % 64)) & 1; }
  const std::vector<uint64_t>& operator[](size_t a) const { return rows_[a]; }
  void unite(size_t a, const std::vector<uint64_t>& row) {
    for (size_t i = 0; i < words_; ++i) rows_[a][i] |= row[i];
  }
  template <class Visit>
  void forEach(size_t a, Visit visit) const {
    for (size_t word = 0; word < words_; ++word)
      for (uint64_t rest = rows_[a][word]; rest != 0; rest &= rest - 1)
        visit(word * 64 + static_cast<size_t>(std::countr_zero(rest)));
  }
  /// The composition: first this, then `next`.
  Relation then(const Relation& next) const {
    Relation out(size());
    for (size_t a = 0; a < size(); ++a) forEach(a, [&](size_t b) { out.unite(a, next[b]); });
    return out;
  }
  bool isAcyclic() const {
    std::vector<uint32_t> incoming(size(), 0);
    for (size_t a = 0; a < size(); ++a) forEach(a, [&](size_t b) { ++incoming[b]; });
    std::vector<size_t> ready;
    for (size_t a = 0; a < size(); ++a)
      if (incoming[a] == 0) ready.push_back(a);
    size_t done = 0;
    while (!ready.empty()) {
      const size_t a = ready.back();
      ready.pop_back();
      ++done;
      forEach(a, [&](size_t b) {
        if (--incoming[b] == 0) ready.push_back(b);
      });
    }
    return done == size();
  }

 private:
  size_t words_;
  std::vector<std::vector<uint64_t>> rows_;
};

/// An event, or what a thread did between two of them in plain memory.
struct GraphVertex {
  GraphEventId first = kNone, last = kNone;
  uint32_t thread = kNone;
  LocationId location = kNone;
};

/// The vertices of a graph and the relations that all models speak of.
class GraphRelations {
 public:
  /// `joinsPlain`: what a thread does to plain memory without an event between is one vertex. These accesses
  /// are ordered by what happens before, or they race and the execution means nothing.
  GraphRelations(const ExecutionGraph& events, bool joinsPlain)
      : graph(events), vertexOf_(events.events().size()) {
    for (uint32_t thread = 0; thread < graph.threadCount(); ++thread) {
      bool wasPlain = false;
      for (const GraphEventId id : graph.eventsOf(thread)) {
        const GraphEvent& event = graph[id];
        if (event.kind == GraphEventKind::Hidden) continue;
        const bool isPlain = joinsPlain && event.kind == GraphEventKind::Plain;
        if (isPlain && wasPlain) {
          GraphVertex& joined = vertices.back();
          joined.last = id;
          if (joined.location != event.location) joined.location = kNone;
        } else {
          vertices.push_back({id, id, thread, event.location});
        }
        wasPlain = isPlain;
        vertexOf_[id] = vertices.size() - 1;
      }
    }
  }

  size_t size() const { return vertices.size(); }
  const GraphEvent& event(size_t vertex) const { return graph[vertices[vertex].first]; }
  bool isSameLocation(size_t a, size_t b) const {
    return vertices[a].location == vertices[b].location && vertices[a].location != kNone;
  }
  bool happensBefore(size_t a, size_t b) const {
    return a != b && graph.isBefore(vertices[a].last, event(b).clock);
  }
  bool isOpen(GraphEventId id) const {
    const GraphEventKind kind = graph[id].kind;
    return kind == GraphEventKind::Read || kind == GraphEventKind::Write || kind == GraphEventKind::Update;
  }

  Relation readsFrom() const {
    Relation out(size());
    for (size_t b = 0; b < size(); ++b) {
      const GraphEventId source = event(b).readsFrom;
      if (isOpen(vertices[b].first) && source != kNone && isOpen(source)) out.add(vertexOf_[source], b);
    }
    return out;
  }
  /// Coherence order, and from each read to the writes that come after what it reads.
  Relation afterwards() const {
    Relation out(size());
    for (const auto& [location, writes] : graph.writesByLocation()) {
      std::unordered_map<GraphEventId, size_t> position;
      for (size_t i = 0; i < writes.size(); ++i) position[writes[i]] = i;
      for (size_t v = 0; v < size(); ++v) {
        const GraphEvent& from = event(v);
        if (from.location != location || !isOpen(vertices[v].first)) continue;
        const GraphEventId at = from.writes() ? vertices[v].first : from.readsFrom;
        for (size_t i = position.at(at) + 1; i < writes.size(); ++i)
          if (isOpen(writes[i])) out.add(v, vertexOf_[writes[i]]);
      }
    }
    return out;
  }

  const ExecutionGraph& graph;
  std::vector<GraphVertex> vertices;

 private:
  std::vector<size_t> vertexOf_;  // by event
};

}  // namespace heddle
