// makeSmaller: a finding's schedule and inputs made as small as little time allows, and what the finding
// says of its steps told anew. Which finding it is stays as it was: kind, places, threads, message, locks
// held.
//
// Threading: the thread of the exploration. Observes the budget.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/diagnose/diagnosis.h"
#include "analysis/program/program.h"
#include "analysis/report.h"

namespace heddle {

/// In a small share of what the budget has left. `subjects`: by finding.
void makeSmaller(const Program& program, FunctionId entry, std::string_view text, const Budget& budget,
                 std::vector<DiagnosisSubject>& subjects, std::vector<Finding>& findings);

}  // namespace heddle
