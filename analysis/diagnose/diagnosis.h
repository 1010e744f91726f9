// Diagnosis: why a finding happens and what would exclude it: cores, an explanation, repair plans.
//
// Works on what an exploration knows. The finding's schedule is followed once more in the forest; what is
// proved holds for all executions that the forest knows (all there are, when the exploration is complete).
//
// Threading: the thread of the exploration. Observes the budget.
#pragma once

#include <utility>
#include <vector>

#include "analysis/detect/diagnosis_subject.h"
#include "analysis/diagnose/cores.h"
#include "analysis/report.h"

namespace heddle {

struct DiagnosisOptions {
  SolverKind solver = SolverKind::Sat;
  CoreOptions cores;
  bool isWhole = true;  // the forest has all executions; else nothing is claimed of those that it has not
};

/// True if a diagnosis can work in what this runner has explored: all there is, and no paths were merged,
/// since a core names events by what their thread has done before.
bool isDiagnosable(Runner& runner);

/// Diagnoses all findings of a program. `explored`: an exploration of it that isDiagnosable(); null: one more
/// is made, without merging; where that is too large for the budget, a small one with some dozens of
/// executions, and the explanation says so. `subjects`: by finding. Runs of the diagnosis are reported to
/// nobody.
void diagnoseAll(const Program& program, Runner* explored, ExploreOptions exploreOptions,
                 bool everyAccessIsEvent, const std::vector<DiagnosisSubject>& subjects,
                 DiagnosisOptions options, const Budget& budget, std::vector<Finding>& findings);

/// Fills core, explanation and plans of the finding. False when the exploration started again (the forest is
/// empty then), after which no further diagnosis is possible. The forest must be one without merges.
bool diagnose(const Program& program, Runner& runner, const DiagnosisSubject& subject,
              const DiagnosisOptions& options, const Budget& budget, Finding& finding);

/// The execution of the subject's schedule and what makes executions fail like it; nullopt when it cannot be
/// followed. For tests that want to prove cores again.
struct FailingExecution {
  RecordedExecution execution;
  FailureTarget target;
  std::vector<NodeId> nodes;  // Failure: the end of the thread; Deadlock: who waits; Race: the accesses
};
std::optional<FailingExecution> failingExecution(Runner& runner, const DiagnosisSubject& subject,
                                                 const Budget& budget);

}  // namespace heddle
