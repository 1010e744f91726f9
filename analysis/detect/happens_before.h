// Happens-before in one execution: program order, creates and joins, locks, conditions, synchronization
// objects, atomic accesses and atomic sections, as vector clocks over the executed events.
//
// Two conflicting accesses that it does not order are a data race. The first such pair of an execution needs
// no solver to be shown: everything before the second access is ordered by happens-before where it conflicts,
// so what comes before either of the two can be executed alone, in the order of the execution, and finds the
// same; then both come next (docs/encoding.md, "Races in every run").
//
// Later pairs may never come next to each other: the program keeps them apart by what it reads in a race, a
// flag for instance. Happens-before does not know of that order, nor do compilers and processors.
//
// Cost: linear in the events, times the threads. Threading: functions of their arguments.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analysis/explore/forest/forest.h"

namespace heddle {

/// An executed event, with what decides about its order.
struct HappenedEvent {
  EventKind kind = EventKind::Start;
  ThreadId thread = kNone;
  ThreadId other = kNone;  // Create: the child; Join: the joined thread
  bool atomic = false;
  bool isVolatile = false;
  bool isSync = false;   // an operation of a synchronization object
  bool wrote = false;    // memory
  uint64_t section = 0;  // names the atomic section among those of its thread; 0: in none
  std::vector<LocationId> cells;
};

HappenedEvent happened(const Event& executed);
/// `executed`: the events of one run, in their order; `trace`: the same.
std::vector<HappenedEvent> happened(const Forest& forest, std::span<const NodeId> executed,
                                    std::span<const TraceEntry> trace);

/// Two conflicting accesses of an execution that nothing orders; indices into its events.
struct UnorderedPair {
  size_t first = 0, second = 0;
  LocationId location = kNone;
  /// Of the first pair of an execution: the events that come before either of the two, or before the atomic
  /// section that it lies in; ascending.
  std::vector<size_t> before;
  /// Of a later one: what was accessed in an earlier pair, which alone orders the two; else kNone.
  LocationId flag = kNone;
  bool flagIsVolatile = false;  // so are all accesses that order the two
};

/// For each access the last one before it that conflicts with it and that nothing orders, by the second
/// access; no more than `most`.
std::vector<UnorderedPair> unorderedPairs(std::span<const HappenedEvent> events, size_t most);

}  // namespace heddle
