#include "server/driver/suppressed.h"

#include <algorithm>

#include "server/config/config_file.h"
#include "server/driver/check.h"

namespace heddle {

Baseline baselineFor(const SourceFile& file, const std::string& path, std::string& problem) {
  if (path.empty()) return readBaselineFile(findConfigs(file.absolute, "", {}), file.absolute, problem);
  const std::optional<SourceFile> given = readSource(path, problem);
  return given ? parseBaseline(given->text, problem) : Baseline{};
}

Baseline suppressedIn(const Report& report, const SourceFile& file, const Baseline& baseline) {
  Baseline reasons;
  const std::vector<IgnoreComment> comments = ignoreComments(PositionMap(file.text));
  for (const std::vector<Finding>* list : {&report.findings, &report.warnings})
    for (const Finding& finding : *list)
      if (const auto reason = suppressionOf(finding, linesOf(finding, report.file), comments, baseline))
        reasons[finding.id] = *reason;
  return reasons;
}

int exitCodeWithout(const Report& report, const Baseline& suppressed) {
  const bool all = std::all_of(report.findings.begin(), report.findings.end(),
                               [&](const Finding& finding) { return suppressed.contains(finding.id); });
  if (report.findings.empty() || !all) return exitCodeOf(report);
  // What is known of the rest: a property that is violated only by what is suppressed says nothing of it.
  int code = report.problem.empty() ? kExitNoBug : kExitIncomplete;
  for (const auto& [name, verdict] : report.properties) {
    if (verdict == Verdict::Unsupported) code = worseExitCode(code, kExitUsage);
    if (verdict == Verdict::Incomplete || verdict == Verdict::Cancelled)
      code = worseExitCode(code, kExitIncomplete);
  }
  return code;
}

}  // namespace heddle
