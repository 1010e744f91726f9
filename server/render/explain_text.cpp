#include "server/render/explain_text.h"

#include <algorithm>

#include "server/render/explanation.h"
#include "server/render/finding_group.h"
#include "server/render/interleaving.h"
#include "server/render/text_report.h"

namespace heddle {
namespace {

std::string indented(const std::string& lines, const std::string& by) {
  std::string out;
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = std::min(lines.size(), lines.find('\n', begin));
    out += by + lines.substr(begin, end - begin) + '\n';
    begin = end + 1;
  }
  return out;
}

/// Each text once, in their order.
std::vector<std::string> planTexts(const Finding& finding, const std::string& file) {
  std::vector<std::string> texts;
  for (const RepairPlan& plan : finding.plans)
    if (std::string text = planText(plan, file); std::find(texts.begin(), texts.end(), text) == texts.end())
      texts.push_back(std::move(text));
  return texts;
}

std::string fullText(const Finding& finding, const InterleavingOptions& options) {
  constexpr size_t kPlans = 4;
  std::string out;
  if (!finding.inputs.empty()) {
    out += "  Inputs:\n";
    for (const std::string& line : renderInputs(finding.inputs)) out += "    " + line + '\n';
  }
  for (const ExplanationPart& part : explanationParts(finding, options)) {
    out += "  " + part.title + ":\n";
    for (const std::string& line : part.lines) out += "    " + line + '\n';
  }
  const std::vector<std::string> plans = planTexts(finding, options.mainFile);
  if (!plans.empty()) out += "  What would exclude it:\n";
  for (size_t i = 0; i < plans.size() && i < kPlans; ++i) out += "    - " + plans[i] + '\n';
  if (plans.size() > kPlans) out += "    - ... " + std::to_string(plans.size() - kPlans) + " more\n";
  return out;
}

/// What to change, as a reviewer would say it first: a lock that others hold there before a new one, and
/// before another order of calls.
std::string cureText(const Finding& finding, const std::string& file) {
  const bool isLess = finding.plans.empty() ||
                      finding.plans.front().kind == RepairPlan::Kind::RetainEarlier ||
                      (finding.plans.front().kind == RepairPlan::Kind::CriticalSections &&
                       finding.plans.front().existingLock.empty());
  if (isLess && finding.explanation && !finding.explanation->cure.empty()) return finding.explanation->cure;
  return finding.plans.empty() ? "" : planText(finding.plans.front(), file);
}

/// Rows of each table where there are `findings` of them, so that all together are less than a page.
size_t rowsWith(size_t findings) {
  constexpr size_t kRows = 8, kRowsOfMany = 4, kMany = 3, kFewest = 2;
  if (findings < kMany) return kRows;
  return std::max(kFewest, kRowsOfMany + kMany - std::min(findings, kRowsOfMany + kMany));
}

std::string shortText(const Finding& finding, InterleavingOptions options, size_t findings) {
  constexpr size_t kInputs = 4;
  std::string out;
  if (const std::string cure = cureText(finding, options.mainFile); !cure.empty())
    out += "  To mend it: " + cure + '\n';
  const std::vector<std::string> inputs = renderInputs(finding.inputs);
  for (size_t i = 0; i < inputs.size() && i < kInputs; ++i) out += (i == 0 ? "  With " : ", ") + inputs[i];
  if (inputs.size() > kInputs) out += ", and " + count(inputs.size() - kInputs, "more input");
  if (!inputs.empty()) out += '\n';
  options.maxRows = rowsWith(findings);
  for (const RelatedPlace& related : finding.related) options.first.push_back(related.place);
  const bool isExplained = finding.explanation && !finding.explanation->steps.empty();
  out += indented(
      renderInterleaving(finding.threads, isExplained ? finding.explanation->steps : stepsToFailure(finding),
                         options),
      "    ");
  if (finding.explanation && finding.explanation->claim.empty() && !finding.explanation->problem.empty())
    out += "  Not explained: " + finding.explanation->problem + '\n';
  return out;
}

}  // namespace

std::string renderExplanations(const Report& report, const ReplayContext& context, bool full) {
  InterleavingOptions options;
  options.mainFile = report.file;
  std::string out;
  const std::vector<FindingGroup> groups = groupsOf(report.findings);
  constexpr size_t kPlacesInFull = 3, kPlaces = 1;
  for (const auto& [head, also] : groups) {
    const Finding& finding = *head;
    out +=
        placeText(finding.place, report.file) + ": " + finding.message + " [" + codeOf(finding.kind) + "]\n";
    if (const std::string claim = claimText(finding); !claim.empty()) out += "  " + claim + "\n";
    out += full ? fullText(finding, options) : shortText(finding, options, groups.size());
    out += alsoText(also, report.file, full ? kPlacesInFull : kPlaces);
    if (!finding.schedule.empty()) out += "  Replay: " + replayCommand(context, finding.schedule) + '\n';
    if (full) out += '\n';
  }
  out += report.file + ": " + verdictLine(report);
  return out + (full || report.findings.empty() ? "\n" : "; --full tells more\n");
}

}  // namespace heddle
