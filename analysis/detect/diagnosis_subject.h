// DiagnosisSubject: what of a finding a diagnosis needs. Places and labels of threads mean the same in every
// exploration of a program, nodes and ids of threads do not.
//
// Threading: that of the runner.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/explore/run/exploration.h"

namespace heddle {

struct DiagnosisSubject {
  enum class Kind : uint8_t {
    Failure,
    Deadlock,
    Race,
    Other,  // only `isShownBy` tells: it is replayed and made smaller, not diagnosed
  };
  /// Whether the run of a schedule up to its end shows it.
  using IsShownBy = std::function<bool(const std::vector<TraceEntry>&)>;
  /// An operation: `x++` is a read and a write in one place.
  struct At {
    std::string thread;  // label
    PlaceId place = kNone;
    EventKind kind = EventKind::Start;
    bool operator==(const At&) const = default;
  };

  Kind kind = Kind::Failure;
  Schedule schedule;
  FailureKind failure = FailureKind::Assertion;
  PlaceId place = kNone;          // of the failure
  std::vector<At> waiting;        // Deadlock: who waits where
  std::vector<At> racing;         // Race: the two accesses
  IsShownBy isShownBy = nullptr;  // Other

  static DiagnosisSubject of(const Witness& witness);
  /// Of a deadlock of these waiting events.
  static DiagnosisSubject of(Runner& runner, const Schedule& schedule, const std::vector<NodeId>& waiting);
  /// Of a race of these two accesses.
  static DiagnosisSubject of(Runner& runner, const Schedule& schedule, NodeId first, NodeId second);
  /// Of what no other kind is; `isShownBy` must not be empty.
  static DiagnosisSubject of(const Schedule& schedule, IsShownBy isShownBy);
  static At at(Runner& runner, NodeId node);
};

}  // namespace heddle
