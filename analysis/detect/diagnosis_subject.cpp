#include "analysis/detect/diagnosis_subject.h"

#include <utility>

namespace heddle {

DiagnosisSubject DiagnosisSubject::of(const Schedule& schedule, IsShownBy isShownBy) {
  DiagnosisSubject subject;
  subject.kind = Kind::Other;
  subject.schedule = schedule;
  subject.isShownBy = std::move(isShownBy);
  return subject;
}

DiagnosisSubject::At DiagnosisSubject::at(Runner& runner, NodeId node) {
  const Node& n = runner.forest()[node];
  return {runner.names().label(n.thread), n.place, n.event};
}

DiagnosisSubject DiagnosisSubject::of(const Witness& witness) {
  DiagnosisSubject subject;
  subject.kind = Kind::Failure;
  subject.schedule = witness.schedule;
  subject.failure = witness.failure.kind;
  subject.place = witness.failure.place;
  return subject;
}

DiagnosisSubject DiagnosisSubject::of(Runner& runner, const Schedule& schedule,
                                      const std::vector<NodeId>& waiting) {
  DiagnosisSubject subject;
  subject.kind = Kind::Deadlock;
  subject.schedule = schedule;
  for (const NodeId node : waiting) subject.waiting.push_back(at(runner, node));
  return subject;
}

DiagnosisSubject DiagnosisSubject::of(Runner& runner, const Schedule& schedule, NodeId first, NodeId second) {
  DiagnosisSubject subject;
  subject.kind = Kind::Race;
  subject.schedule = schedule;
  subject.racing = {at(runner, first), at(runner, second)};
  return subject;
}

}  // namespace heddle
