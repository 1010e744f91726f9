// ExecutionGraph: what happened in an execution under a memory model, as axioms speak of it: the events of
// each thread in program order, which write each load reads, and in which order the writes to a location come
// (docs/memory-models.md).
//
// Events are added in an order that extends program order and reads-from. Nothing that is added happens
// before what is there, so what happens before an event is known when it is added, as a vector clock. The
// graph stays consistent if each addition is: the axioms of all models hold for a part of a consistent graph,
// too.
//
// Threading: belongs to one run.
#pragma once

#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/interp/weak/axioms.h"
#include "analysis/interp/weak/vector_clock.h"
#include "analysis/model/event.h"
#include "analysis/model/memory_order.h"

namespace heddle {

enum class GraphEventKind : uint8_t {
  Initial,  // what memory held at first; of no thread, before everything
  Read,     // of an atomic access; also a compare-exchange that fails
  Write,
  Update,
  Fence,
  Plain,   // any other access, which reads or is the latest write
  Sync,    // an operation of a lock or the like
  Hidden,  // an access to memory of the interpreter's own, which no model speaks of
};

using GraphEventId = uint32_t;

struct GraphEvent {
  GraphEventKind kind = GraphEventKind::Initial;
  uint32_t thread = kNone;  // its number in the graph
  uint32_t index = 0;       // in its thread
  uint64_t operation = 0;   // Event::operation; 0: a fence
  LocationId location = kNone;
  MemoryOrder order = MemoryOrder::Relaxed;
  bool isLocked = false;  // an update, or an attempt at one
  GraphEventId readsFrom = kNone;
  Value value;          // written
  VectorClock clock;    // of what happens before it, itself included
  VectorClock message;  // what happens before whoever reads it and acquires

  bool writes() const { return kind == GraphEventKind::Write || kind == GraphEventKind::Update; }
};

/// An access with a choice, as it is asked for.
struct OpenAccess {
  uint32_t thread = 0;
  uint64_t operation = 0;
  LocationId location = kNone;
  AtomicOrders orders;
  bool isPlain = false;  // no atomic access, under a model that has no other rule for these
  bool reads = false, writes = false;
  bool isLocked = false;  // an update, or an attempt at one

  /// A compare-exchange that does not write has a memory order of its own.
  MemoryOrder order() const { return reads && !writes ? orders.failure : orders.success; }
};

class ExecutionGraph {
 public:
  explicit ExecutionGraph(const Axioms& axioms) : axioms_(axioms) {}

  /// The number of a thread, in order of its first event.
  uint32_t threadNumber(ThreadId id);
  ThreadId threadId(uint32_t number) const { return ids_[number]; }

  /// Makes the location known, with what memory holds before its first event.
  void begin(LocationId location, const Value& initial);
  bool isKnown(LocationId location) const { return writes_.contains(location); }

  void fence(uint32_t thread, MemoryOrder order);
  /// `kind`: Plain or Hidden.
  GraphEventId plain(GraphEventKind kind, uint32_t thread, uint64_t operation, LocationId location,
                     const Value* written);
  /// An operation on what `location` stands for (kNone: nothing) that gets what was left there (`acquires`),
  /// and leaves what happened before it (`releases`).
  GraphEventId synchronize(uint32_t thread, uint64_t operation, LocationId location, bool acquires,
                           bool releases);
  /// What `from` has done so far happens before all that `to` does from now on.
  void order(uint32_t from, uint32_t to) { threads_[to].clock.join(threads_[from].clock); }

  /// Coherence lets the access read, or come right after, the writes in `writesTo` from this index on.
  size_t firstCoherent(const OpenAccess& access) const;
  const std::vector<GraphEventId>& writesTo(LocationId location) const { return writes_.at(location); }
  /// Whether the access may read the write at `position` of `writesTo`, or come right after it.
  bool allows(const OpenAccess& access, size_t position);
  GraphEventId add(const OpenAccess& access, size_t position, const Value& written);

  const Axioms& axioms() const { return axioms_; }
  const GraphEvent& operator[](GraphEventId id) const { return events_[id]; }
  const std::vector<GraphEvent>& events() const { return events_; }
  const std::vector<GraphEventId>& eventsOf(uint32_t thread) const { return threads_[thread].events; }
  size_t threadCount() const { return threads_.size(); }
  const std::map<LocationId, std::vector<GraphEventId>>& writesByLocation() const { return writes_; }
  const VectorClock& clockOf(uint32_t thread) const { return threads_[thread].clock; }
  /// Some sequentially consistent fence happens before what the thread does next.
  bool isBehindScFence(uint32_t thread) const;
  /// `a` happens before whatever has this clock.
  bool isBefore(GraphEventId a, const VectorClock& clock) const {
    return events_[a].thread == kNone || clock.of(events_[a].thread) > events_[a].index;
  }

 private:
  struct ThreadState {
    std::vector<GraphEventId> events;
    VectorClock clock;
    VectorClock acquirable;  // what an acquire fence gets from the loads before it
    VectorClock fence;       // at the last release fence
    std::unordered_map<LocationId, VectorClock> released;  // at the last release of the location
  };

  GraphEventId append(GraphEvent event);
  const Axioms& axioms_;
  std::vector<GraphEvent> events_;
  std::vector<ThreadState> threads_;
  std::vector<ThreadId> ids_;
  std::unordered_map<ThreadId, uint32_t> numbers_;
  std::map<LocationId, std::vector<GraphEventId>> writes_;  // in coherence order, the initial one first
  std::unordered_map<LocationId, std::vector<GraphEventId>> reads_;
  std::unordered_map<LocationId, VectorClock> left_;  // by synchronization
  std::vector<GraphEventId> scFences_;
};

}  // namespace heddle
