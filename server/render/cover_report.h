// What `heddle cover` shows: as text, as JSON, as lcov's trace file, and the files of the suite.
//
// Threading: pure functions.
#pragma once

#include <string>

#include "analysis/pipeline/cover.h"
#include "protocol/json.h"

namespace heddle {

/// `folder`: where the suite was written; empty: nowhere, so that the schedules are printed.
std::string coverText(const CoverReport& report, const std::string& file, const std::string& folder);
nlohmann::ordered_json coverJson(const CoverReport& report, const std::string& file,
                                 const std::string& folder, const std::string& problem);
/// Functions, lines of branches, and branches with how many entries of the suite take each side. Assertions'
/// failures and what cannot be covered are left out.
std::string coverLcov(const CoverReport& report);

/// "001.schedule" for 0.
std::string suiteFileName(size_t number);
/// `replay`: the command that follows it.
std::string suiteFileText(const CoverReport& report, size_t number, const std::string& replay);

}  // namespace heddle
