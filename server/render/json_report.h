// A report as JSON, by the contract of the command line: field names and their meaning are fixed, new fields
// may be added. docs/report.schema.json is the schema of reports.
//
// Threading: pure functions.
#pragma once

#include <map>
#include <string>
#include "protocol/json.h"

#include "analysis/pipeline/pipeline.h"
#include "analysis/report.h"

namespace heddle {

/// Grows when a field changes its meaning or goes.
constexpr int kReportFormat = 1;

/// `suppressed`: finding id → the user's reason; such findings have it as "suppressed".
nlohmann::ordered_json reportJson(const Report& report,
                                  const std::map<std::string, std::string>& suppressed = {});
nlohmann::ordered_json replayJson(const std::string& file, const std::string& schedule,
                                  const ReplayResult& result);

nlohmann::ordered_json unknownCallsJson(const std::vector<UnknownCall>& calls);

/// One line; text that is not UTF-8 is shown with replacement characters.
std::string dumpLine(const nlohmann::ordered_json& value);

}  // namespace heddle
