#include "analysis/enforce/native_plan.h"

namespace heddle {

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  // No trigraphs.
  for (size_t at = out.find("??"); at != std::string::npos; at = out.find("??", at)) out.insert(at + 1, "\\");
  return out + '"';
}

std::string shortPlace(const SourcePlace& place) {
  const size_t slash = place.file.rfind('/');
  return (slash == std::string::npos ? place.file : place.file.substr(slash + 1)) + ":" +
         std::to_string(place.line);
}

const char* nameOf(NativeEnd end) {
  switch (end) {
    case NativeEnd::Free:
      return "END_FREE";
    case NativeEnd::Held:
      return "END_HELD";
    case NativeEnd::Fails:
      return "END_FAILS";
    case NativeEnd::Stuck:
      return "END_STUCK";
    case NativeEnd::Spins:
      return "END_SPINS";
    case NativeEnd::Races:
      return "END_RACES";
    case NativeEnd::Overlaps:
      return "END_OVERLAPS";
    case NativeEnd::Faults:
      return "END_FAULTS";
  }
  return "END_HELD";
}

const char* siteFlags(const Site& site) {
  if (!site.returns) return "SITE_LEAVES";
  if (isConditionWait(site)) return "SITE_WAITS";
  return site.callee == "pthread_create" || site.callee == "thrd_create" ? "SITE_CREATES" : "0";
}

std::string range(std::string& waits, uint32_t& count, const std::vector<NativeWait>& added) {
  const uint32_t from = count;
  for (const NativeWait& wait : added)
    waits += "  {" + std::to_string(wait.thread) + ", " + std::to_string(wait.tick) + "},\n";
  count += static_cast<uint32_t>(added.size());
  return std::to_string(from) + ", " + std::to_string(count);
}

}  // namespace

std::string planText(const NativePlan& plan, const std::vector<Site>& sites) {
  std::string waits, steps, threads, places;
  uint32_t waitCount = 0, stepCount = 0;
  for (const NativeThread& thread : plan.threads) {
    threads += "  {" + quoted(thread.name) + ", " + std::to_string(thread.parent) + ", " +
               std::to_string(thread.ordinal) + ", " + std::to_string(stepCount) + ", " +
               std::to_string(thread.steps.size()) + ", " + nameOf(thread.end) + "},\n";
    for (const NativeStep& step : thread.steps) {
      std::string flags = "0";
      if (step.splits) flags += " | STEP_SPLITS";
      if (step.hasInput) flags += " | STEP_INPUT";
      if (step.fillsMemory) flags += " | STEP_FILLS";
      if (step.unfinished) flags += " | STEP_UNFINISHED";
      if (step.notesAddress) flags += " | STEP_NOTES";
      if (step.emulated) flags += " | STEP_EMULATED";
      const std::string before = range(waits, waitCount, step.before);
      const std::string resume = range(waits, waitCount, step.resume);
      steps += "  {" + std::to_string(step.site) + ", " + before + ", " + resume + ", " + flags + ", " +
               (step.input == INT64_MIN ? "INT64_MIN" : std::to_string(step.input)) + "},\n";
      ++stepCount;
    }
  }
  for (const uint32_t site : plan.sites)
    places += "  {" + std::to_string(site) + ", " + siteFlags(sites[site]) + ", " +
              quoted(shortPlace(sites[site].place)) + ", " + quoted(sites[site].text()) + "},\n";
  return "static const char plan_finding[] = " + quoted(plan.finding) +
         ";\nstatic const struct plan_wait plan_waits[] = {\n" + waits +
         "  {0, 0}};\nstatic const struct plan_step plan_steps[] = {\n" + steps +
         "  {0, 0, 0, 0, 0, 0, 0}};\nstatic const struct plan_thread plan_threads[] = {\n" + threads +
         "};\nstatic const struct plan_site plan_sites[] = {\n" + places + "  {~0u, 0, \"\", \"\"}};\n" +
         "enum { PLAN_THREADS = " + std::to_string(plan.threads.size()) +
         ", PLAN_SITES = " + std::to_string(plan.sites.size()) + " };\n";
}

}  // namespace heddle
