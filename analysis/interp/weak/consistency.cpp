#include "analysis/interp/weak/consistency.h"

#include <algorithm>
#include <bit>

namespace heddle {

namespace {

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
  /// First this, then `next`.
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

bool meet(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i] & b[i]) return true;
  return false;
}

/// An event, or what a thread did between two of them in plain memory.
struct Vertex {
  GraphEventId first = kNone, last = kNone;
  uint32_t thread = kNone;
  LocationId location = kNone;
};

/// The vertices of a graph and the relations that all models speak of.
class Picture {
 public:
  /// `joinsPlain`: what a thread does to plain memory without an event between is one vertex. These accesses
  /// are ordered by what happens before, or they race and the execution means nothing.
  Picture(const ExecutionGraph& events, bool joinsPlain) : graph(events), vertexOf_(events.events().size()) {
    for (uint32_t thread = 0; thread < graph.threadCount(); ++thread) {
      bool wasPlain = false;
      for (const GraphEventId id : graph.eventsOf(thread)) {
        const GraphEvent& event = graph[id];
        if (event.kind == GraphEventKind::Hidden) continue;
        const bool isPlain = joinsPlain && event.kind == GraphEventKind::Plain;
        if (isPlain && wasPlain) {
          Vertex& joined = vertices.back();
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
  std::vector<Vertex> vertices;

 private:
  std::vector<size_t> vertexOf_;  // by event
};

/// psc of RC11: what sequentially consistent accesses and fences are ordered by.
bool isScAcyclic(const ExecutionGraph& graph) {
  const Picture picture(graph, true);
  const size_t n = picture.size();
  std::vector<size_t> sc;
  for (size_t v = 0; v < n; ++v) {
    const GraphEvent& event = picture.event(v);
    const bool hasOrder = picture.isOpen(picture.vertices[v].first) || event.kind == GraphEventKind::Fence;
    if (hasOrder && event.order == MemoryOrder::SeqCst) sc.push_back(v);
  }
  if (sc.size() < 2) return true;
  const auto isFence = [&](size_t v) { return picture.event(v).kind == GraphEventKind::Fence; };
  Relation before(n), behind(n), program(n), elsewhere(n);
  for (size_t a = 0; a < n; ++a)
    for (size_t b = 0; b < n; ++b) {
      if (!picture.happensBefore(a, b)) continue;
      before.add(a, b);
      behind.add(b, a);
      if (picture.vertices[a].thread != picture.vertices[b].thread) continue;
      program.add(a, b);
      if (!picture.isSameLocation(a, b)) elsewhere.add(a, b);
    }
  const Relation reads = picture.readsFrom(), after = picture.afterwards();
  Relation base = elsewhere.then(before).then(elsewhere);  // scb
  for (size_t a = 0; a < n; ++a) {
    base.unite(a, program[a]);
    base.unite(a, after[a]);
    before.forEach(a, [&](size_t b) {
      if (picture.isSameLocation(a, b)) base.add(a, b);
    });
  }
  Relation extended = after.then(reads);  // eco
  for (size_t a = 0; a < n; ++a) {
    extended.unite(a, after[a]);
    extended.unite(a, reads[a]);
  }
  Relation ordered(sc.size());
  for (size_t i = 0; i < sc.size(); ++i) {
    const size_t a = sc[i];
    std::vector<uint64_t> reached = base[a], communicated((n + 63) / 64);
    const auto unite = [](std::vector<uint64_t>& row, const std::vector<uint64_t>& more) {
      for (size_t word = 0; word < row.size(); ++word) row[word] |= more[word];
    };
    if (isFence(a))
      before.forEach(a, [&](size_t x) {
        unite(reached, base[x]);
        unite(communicated, extended[x]);
      });
    for (size_t k = 0; k < sc.size(); ++k) {
      const size_t b = sc[k];
      const bool byAccess = (reached[b / 64] >> (b % 64)) & 1;
      const bool toFence = isFence(b) && meet(reached, behind[b]);
      const bool betweenFences =
          isFence(a) && isFence(b) && (before.has(a, b) || meet(communicated, behind[b]));
      if (byAccess || toFence || betweenFences) ordered.add(i, k);
    }
  }
  return ordered.isAcyclic();
}

/// What a thread's program order keeps under a model with store buffers.
class BufferOrder {
 public:
  BufferOrder(const Picture& picture, MemoryModelKind kind) : picture_(picture), kind_(kind) {
    uint32_t full = 0, stores = 0;
    for (size_t v = 0; v < picture.size(); ++v) {
      const GraphEvent& event = picture.event(v);
      const bool isFence = event.kind == GraphEventKind::Fence;
      const bool isWhole = event.kind == GraphEventKind::Sync;
      const bool isRelease = heddle::isRelease(event.order);
      full += isWhole || event.isLocked || (isFence && event.order == MemoryOrder::SeqCst);
      stores += isRelease && (isFence || event.writes());
      passed_.push_back({full, stores});
      full += isWhole || event.isLocked ||
              (event.kind == GraphEventKind::Write && event.order == MemoryOrder::SeqCst);
    }
  }

  /// `a` comes before `b` in the program.
  bool keeps(size_t a, size_t b) const {
    const GraphEvent &from = picture_.event(a), &to = picture_.event(b);
    if (kind_ == MemoryModelKind::Sc || from.kind != GraphEventKind::Write) return true;
    if (passed_[b].full != passed_[a].full) return true;
    if (to.kind != GraphEventKind::Write) return false;
    return kind_ == MemoryModelKind::Tso || from.location == to.location ||
           passed_[b].stores != passed_[a].stores;
  }

 private:
  struct Passed {
    uint32_t full = 0;    // fences and the like that empty the buffers
    uint32_t stores = 0;  // that keep writes in order
  };
  const Picture& picture_;
  const MemoryModelKind kind_;
  std::vector<Passed> passed_;  // when the event happens
};

bool isGloballyOrdered(const ExecutionGraph& graph) {
  const Picture picture(graph, false);
  const size_t n = picture.size();
  Relation ordered = picture.afterwards();
  const BufferOrder buffers(picture, graph.kind());
  for (size_t a = 0; a < n; ++a)
    for (size_t b = 0; b < n; ++b) {
      const bool isSameThread = picture.vertices[a].thread == picture.vertices[b].thread;
      if (isSameThread ? a < b && buffers.keeps(a, b)
                       : picture.event(b).kind == GraphEventKind::Sync && picture.happensBefore(a, b))
        ordered.add(a, b);
    }
  const Relation reads = picture.readsFrom();
  for (size_t a = 0; a < n; ++a)
    reads.forEach(a, [&](size_t b) {
      if (picture.vertices[a].thread != picture.vertices[b].thread) ordered.add(a, b);
    });
  return ordered.isAcyclic();
}

}  // namespace

bool isConsistent(const ExecutionGraph& graph) {
  return graph.kind() == MemoryModelKind::C11 ? isScAcyclic(graph) : isGloballyOrdered(graph);
}

}  // namespace heddle
