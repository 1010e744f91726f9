// Diagnosis: why a finding happens and what would exclude it, as cores, an explanation and repair plans.
//
// Diagnosis works on what an exploration knows. It follows the finding's schedule once more in the forest.
// What it proves holds for all executions that the forest knows, which are all executions if the
// exploration is complete.
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
  bool isWhole = true;  // the forest has all executions; if false, nothing is claimed about other executions
};

/// True if a diagnosis can use this runner's exploration. It must be complete, and no paths may be merged,
/// because a core names events by what their thread has done before.
bool isDiagnosable(Runner& runner);

/// Diagnoses all findings of a program. `explored`: an exploration of it that isDiagnosable(). Null: the
/// program is explored again, without merging; if the budget is too small for that, only some dozens of
/// executions are explored, and the explanation says so. `subjects`: by finding. Callbacks are not called
/// for runs of the diagnosis.
void diagnoseAll(const Program& program, Runner* explored, ExploreOptions exploreOptions,
                 bool everyAccessIsEvent, const std::vector<DiagnosisSubject>& subjects,
                 DiagnosisOptions options, const Budget& budget, std::vector<Finding>& findings);

/// Fills core, explanation and plans of the finding. False if the exploration started again; the forest is
/// empty then, and no further diagnosis is possible. The forest must have no merges.
bool diagnose(const Program& program, Runner& runner, const DiagnosisSubject& subject,
              const DiagnosisOptions& options, const Budget& budget, Finding& finding);

/// The execution of the subject's schedule, and what makes an execution fail in the same way; nullopt if
/// the schedule cannot be followed. Tests use it to prove cores again.
struct FailingExecution {
  RecordedExecution execution;
  FailureTarget target;
  /// Failure: the end of the thread; Deadlock: the waiting events; Race: the accesses.
  std::vector<NodeId> nodes;
};
std::optional<FailingExecution> failingExecution(Runner& runner, const DiagnosisSubject& subject,
                                                 const Budget& budget);

}  // namespace heddle
