// SourceEvents: the nodes of a forest grouped into events as the source shows them: "T1's second execution
// of the read of x at line 9". The nodes of one group lie on different local paths of their thread, so at
// most one of them happens in an execution. Diagnosis uses only these groups, because a core must mean
// something in executions that take other paths.
//
// Threading: immutable once made; the forest must not grow meanwhile.
#pragma once

#include <vector>

#include "analysis/explore/forest/forest.h"

namespace heddle {

using SourceEventId = uint32_t;

struct SourceEvent {
  ThreadId thread = kNone;
  PlaceId place = kNone;
  EventKind kind = EventKind::Start;
  /// Number of operations of this kind that the thread has executed at this place before.
  uint32_t ordinal = 0;
  std::vector<NodeId> nodes;
};

/// `before` comes before `after` whenever both happen; with `causal`, whenever `after` happens.
struct Ordering {
  SourceEventId before = kNone, after = kNone;
  bool causal = false;
  auto operator<=>(const Ordering&) const = default;
};

class SourceEvents {
 public:
  explicit SourceEvents(const Forest& forest);

  /// The group of an event node; kNone for a branch, choice or input.
  SourceEventId of(NodeId node) const { return groups_[node]; }
  const SourceEvent& operator[](SourceEventId id) const { return events_[id]; }
  size_t size() const { return events_.size(); }

 private:
  std::vector<SourceEvent> events_;
  std::vector<SourceEventId> groups_;  // by node
};

}  // namespace heddle
