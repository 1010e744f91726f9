// LinkedSurvey: what a look at one file offers where it is known which other files are linked to it.
//
// Threading: pure functions.
#pragma once

#include "analysis/survey/survey.h"

namespace heddle {

/// `survey` without functions of other files that no unit of the snapshot defines: an object that nobody sets
/// up would be one of any content. All stay where units are not known yet (Snapshot::unitsFollow).
Survey withLinked(Survey survey, const Snapshot& snapshot);

}  // namespace heddle
