#include "server/render/sized_text.h"

#include <chrono>

#include "server/render/duration_text.h"
#include "server/render/text_report.h"
#include "server/sizes/fitting_sizes.h"
#include "server/sizes/size_constants.h"

namespace heddle {
namespace {

const char* answerOf(const SizedRun& run) {
  if (!run.findings.empty()) return "fails";
  if (!isDecided(run)) return "not decided";
  return run.verdict == Verdict::Verified ? "verified" : "verified within bounds";
}

struct Chosen {
  const SizedRun* first = nullptr;   // the smallest that is decided without a failure
  const SizedRun* last = nullptr;    // the largest
  const SizedRun* open = nullptr;    // larger than that, and not decided
  const SizedRun* failed = nullptr;  // there is a finding
};

Chosen chosenOf(const Report& report) {
  Chosen chosen;
  for (const SizedRun& run : report.sized) {
    if (!run.findings.empty()) {
      chosen.failed = &run;
    } else if (isDecided(run)) {
      if (chosen.first == nullptr) chosen.first = &run;
      chosen.last = &run;
      chosen.open = nullptr;
    } else if (chosen.open == nullptr) {
      chosen.open = &run;
    }
  }
  return chosen;
}

}  // namespace

std::string sizedText(const Report& report, const ReplayContext& context) {
  const Chosen chosen = chosenOf(report);
  std::string out;
  const auto add = [&](const SizedRun* run) {
    if (run == nullptr) return;
    out += "  " + sizesText(run->sizes) + ": " + answerOf(*run) + " in " +
           secondsText(std::chrono::duration<double>(run->wallSeconds)) + '\n';
  };
  if (chosen.first == nullptr && chosen.failed == nullptr) return out;
  add(chosen.first);
  if (chosen.last != chosen.first) add(chosen.last);
  add(chosen.open);
  if (chosen.failed == nullptr) return out;
  add(chosen.failed);
  ReplayContext sized = context;
  for (const ChosenSize& size : chosen.failed->sizes) {
    sized.options.emplace_back("--size");
    sized.options.push_back(size.name + "=" + std::to_string(size.value));
  }
  for (const Finding& finding : chosen.failed->findings) out += renderText(report, finding, sized);
  return out;
}

std::string sizedSummary(const Report& report) {
  const Chosen chosen = chosenOf(report);
  std::string out;
  if (chosen.last != nullptr) out += "; " + sizesText(chosen.last->sizes) + ": " + answerOf(*chosen.last);
  if (chosen.failed != nullptr)
    out +=
        "; " + sizesText(chosen.failed->sizes) + " it may fail: " + chosen.failed->findings.front().message;
  return out;
}

}  // namespace heddle
