// What is known of a program with smaller sizes, as text beside the verdict of the program as it is.
//
// Threading: pure functions.
#pragma once

#include <string>

#include "analysis/report.h"
#include "server/render/replay_command.h"

namespace heddle {

/// A line for the smallest and the largest sizes with an answer and for the first larger ones without, and
/// the findings, which are only possible. Empty: nothing smaller was tried, or nothing came of it.
std::string sizedText(const Report& report, const ReplayContext& context);

/// "; with JOBS = 6 and WORKERS = 3: verified": for one line that says what is known. Empty as above.
std::string sizedSummary(const Report& report);

}  // namespace heddle
