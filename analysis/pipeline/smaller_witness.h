// makeSmaller: makes a finding's schedule and inputs as small as a short time allows, and describes its
// steps again. The identity of the finding does not change: kind, places, threads, message, locks held.
//
// Threading: the thread of the exploration. Observes the budget.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/diagnose/diagnosis.h"
#include "analysis/program/program.h"
#include "analysis/report.h"

namespace heddle {

/// Uses a small share of the remaining budget. `subjects`: by finding.
void makeSmaller(const Program& program, FunctionId entry, std::string_view text, const Budget& budget,
                 std::vector<DiagnosisSubject>& subjects, std::vector<Finding>& findings);

}  // namespace heddle
