// Happens-before in one execution: program order, creates and joins, locks, conditions, synchronization
// objects, atomic accesses and atomic sections, as vector clocks over the executed events.
//
// A section comes after the sections that wrote what it reads, as an atomic read comes after the atomic
// writes of its location. Sections that share no data have no order: an exploration that tells executions
// apart only by the order of conflicting events meets each happens-before.
//
// Two conflicting accesses that happens-before does not order are a data race. The first such pair of an
// execution can be shown without a solver. Happens-before orders all conflicting events before the second
// access. So the events that come before either access in happens-before can be executed alone, in the
// order of the execution, with the same results. Then both accesses come next (docs/encoding.md, "Races in
// every run").
//
// Later pairs may never come next to each other, because the program may keep them apart by what it reads
// in a race, for instance a flag. Neither happens-before nor compilers and processors respect such an
// order.
//
// Cost: linear in the events, times the threads. Threading: functions of their arguments.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analysis/explore/forest/forest.h"

namespace heddle {

/// An executed event, with everything that determines its order.
struct HappenedEvent {
  EventKind kind = EventKind::Start;
  ThreadId thread = kNone;
  ThreadId other = kNone;  // Create: the child; Join: the joined thread
  bool atomic = false;
  bool isVolatile = false;
  bool inHandler = false;
  bool isSync = false;   // an operation of a synchronization object
  bool wrote = false;    // memory
  uint64_t section = 0;  // identifies the atomic section within its thread; 0: in no section
  std::vector<LocationId> cells;
};

HappenedEvent happened(const Event& executed);
/// `executed`: the events of one run, in order; `trace`: the same events.
std::vector<HappenedEvent> happened(const Forest& forest, std::span<const NodeId> executed,
                                    std::span<const TraceEntry> trace);

/// Two conflicting accesses of an execution that nothing orders, as indices of its events.
struct UnorderedPair {
  size_t first = 0, second = 0;
  LocationId location = kNone;
  /// Only for the first pair of an execution: the events that come before either of the two accesses, or
  /// before the atomic section that it lies in; ascending.
  std::vector<size_t> before;
  /// Only for later pairs: the location of an earlier pair whose accesses alone order the two; otherwise
  /// kNone.
  LocationId flag = kNone;
  bool flagIsVolatile = false;  // all accesses that order the two are volatile
};

/// For each access, the pair with the last earlier access that conflicts with it and that nothing orders
/// before it. Sorted by the second access; at most `most` pairs.
std::vector<UnorderedPair> unorderedPairs(std::span<const HappenedEvent> events, size_t most);

}  // namespace heddle
