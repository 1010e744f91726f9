// MergedSurvey: the functions of all files of a project as those of one, for questions about who calls whom.
//
// Threading: pure function.
#pragma once

#include <vector>

#include "server/source/generated_harness.h"

namespace heddle {

/// Functions of the plans, with `SurveyFunction::accesses`. Static functions get names of their own.
Survey mergedSurvey(const std::vector<const HarnessPlan*>& plans);

}  // namespace heddle
