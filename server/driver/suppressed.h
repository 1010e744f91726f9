// The suppressed findings of a report on the command line: by comments in the file, and by the baseline of
// the project. They stay in every report, marked with the user's reason, and count for nothing in the exit
// code.
//
// Threading: reads files; pure otherwise.
#pragma once

#include <string>

#include "analysis/report.h"
#include "server/driver/source_file.h"
#include "server/source/suppressions.h"

namespace heddle {

/// The baseline that holds for a file: `path` if given (then it must be readable), else the project's: see
/// config_file.h. `problem`: one line, or empty.
Baseline baselineFor(const SourceFile& file, const std::string& path, std::string& problem);

/// Finding id → reason.
Baseline suppressedIn(const Report& report, const SourceFile& file, const Baseline& baseline);

/// As exitCodeOf, for what is left of a report without its suppressed findings.
int exitCodeWithout(const Report& report, const Baseline& suppressed);

}  // namespace heddle
