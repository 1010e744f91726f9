// DiagnosisSubject: the part of a finding that a diagnosis needs. It uses places and labels of threads,
// because they mean the same in every exploration of a program, while nodes and ids of threads do not.
//
// Threading: the runner's thread.
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
    Other,  // only `isShownBy` tells: the finding is replayed and made smaller, but not diagnosed
  };
  /// Whether the run of a schedule up to its end shows the finding.
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
  std::vector<At> waiting;        // Deadlock: which threads wait where
  std::vector<At> racing;         // Race: the two accesses
  IsShownBy isShownBy = nullptr;  // Other

  static DiagnosisSubject of(const Witness& witness);
  /// The subject of a deadlock with these waiting events.
  static DiagnosisSubject of(Runner& runner, const Schedule& schedule, const std::vector<NodeId>& waiting);
  /// The subject of a race of these two accesses.
  static DiagnosisSubject of(Runner& runner, const Schedule& schedule, NodeId first, NodeId second);
  /// The subject of any other finding; `isShownBy` must not be empty.
  static DiagnosisSubject of(const Schedule& schedule, IsShownBy isShownBy);
  static At at(Runner& runner, NodeId node);
};

}  // namespace heddle
