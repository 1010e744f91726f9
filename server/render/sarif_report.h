// A report as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"), for code scanning and for
// viewers.
//
// One run for all files of one call. Each property of each file has a result of its own: a finding fails,
// with its interleaving as code flows (flow 0 in global order, for viewers that show one thread flow; flow 1
// with one thread flow per thread, ordered by executionOrder); a verified property passes; a spent budget is
// open, and so is what cannot be modelled or does not compile. Paths are as given, relative ones to the
// working directory.
//
// Threading: pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/report.h"
#include "protocol/json.h"

namespace heddle {

struct SarifFile {
  Report report;
  std::string text;  // of the file: fingerprints are of lines, not of their numbers
  /// Finding id → the user's reason to suppress it.
  std::map<std::string, std::string> suppressed;
};

/// `help`: code → what is to be said of it, as Markdown (diagnostics_page.h).
nlohmann::ordered_json sarifReport(const std::vector<SarifFile>& files,
                                   const std::map<std::string, std::string>& help = {});

}  // namespace heddle
