#include "server/render/scan_report.h"

#include <cstdio>
#include <map>

#include "server/render/json_report.h"
#include "server/render/text_report.h"
#include "server/version.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostObstacles = 12;
constexpr size_t kMostSuspects = 20;
constexpr size_t kMostNamed = 3;

std::string places(const SourcePlace& place) {
  return place.file + ":" + std::to_string(place.line);
}

std::string ledgerText(const ScanLedger& ledger) {
  std::string out;
  std::string file;
  size_t inner = 0;
  for (const ScannedFunction& function : ledger.functions()) {
    if (!function.isPublic && function.known == Known::Unknown) {
      ++inner;
      continue;
    }
    if (function.place.file != file) out += "  " + (file = function.place.file) + '\n';
    char line[160];
    std::snprintf(line, sizeof line, "    %-9s %s", toString(function.known), function.name.c_str());
    out += line + (function.why.empty() ? "" : "  (" + function.why + ")") + '\n';
  }
  if (inner != 0)
    out += "  and unknown: " + count(inner, "static function") + " (`--format json` names them)\n";
  return out;
}

std::string suspectsText(const ScanLedger& ledger) {
  const std::vector<ScannedSuspect> suspects = ledger.suspects();
  if (suspects.empty()) return "";
  std::string out = "data and locks that a look at the text suspects, and what explorations told:\n";
  for (size_t i = 0; i < suspects.size() && i < kMostSuspects; ++i) {
    char state[16];
    std::snprintf(state, sizeof state, "    %-9s ", toString(suspects[i].state));
    out += state + suspects[i].data + " (" + suspects[i].file + ":" + std::to_string(suspects[i].line) + ")" +
           (suspects[i].why.empty() ? "" : ": " + suspects[i].why) + '\n';
  }
  if (suspects.size() > kMostSuspects)
    out += "    and " + std::to_string(suspects.size() - kMostSuspects) + " more\n";
  return out;
}

/// Most files do not compile: what to do first.
std::string brokenText(const ScanResult& result, const std::vector<Obstacle>& obstacles) {
  if (result.broken * 2 <= result.files) return "";
  std::string text = std::to_string(result.broken) + " of " + count(result.files, "file") +
                     (result.partial == 0 ? " do not compile" : " do not compile in full");
  for (const Obstacle& obstacle : obstacles) {
    if (!obstacle.text.starts_with("header ")) continue;
    text += "; first, " + obstacle.text;
    break;
  }
  return text + (result.buildStep.empty() ? "" : ": run " + result.buildStep + " first") + '\n';
}

}  // namespace

std::string summaryLine(const ScanResult& result, const ScanLedger& ledger) {
  size_t possible = 0;
  for (const ScannedFinding& found : result.findings) possible += found.finding.possible ? 1 : 0;
  char seconds[64];
  std::snprintf(seconds, sizeof seconds, "%.1f s (%.1f s to look)", result.seconds, result.lookSeconds);
  return result.folder + ": " + count(result.findings.size() - possible, "finding") + ", " +
         std::to_string(possible) + " possible; functions: " + std::to_string(ledger.count(Known::Violated)) +
         " violated, " + std::to_string(ledger.count(Known::Possible)) + " possible, " +
         std::to_string(ledger.count(Known::Proven)) + " proven within bounds, " +
         std::to_string(ledger.count(Known::Explored)) + " explored, " +
         std::to_string(ledger.count(Known::Unknown)) + " unknown; " + count(result.files, "file") + " (" +
         std::to_string(result.broken) + " do not compile" +
         (result.partial == 0 ? "" : ", " + std::to_string(result.partial) + " of these in part") +
         (result.notLooked == 0 ? "" : ", no time for " + std::to_string(result.notLooked)) + "), " +
         std::to_string(result.explored) + " of " + std::to_string(result.harnesses + result.programs) +
         " explorations" +
         (result.exploredWithoutMemory == 0
              ? ""
              : ", " + std::to_string(result.exploredWithoutMemory) + " again where allocations fail") +
         (result.outOfTime || result.notLooked != 0 ? " (the time is up; --total gives more)" : "") + ", " +
         seconds;
}

std::string scanText(const ScanResult& result, const ScanLedger& ledger) {
  std::string out;
  for (const ScannedFinding& found : result.findings) {
    Report report;
    report.file = found.file;
    out += renderText(report, found.finding, found.context);
  }
  out += "functions:\n" + ledgerText(ledger);
  out += suspectsText(ledger);
  const std::vector<Obstacle> obstacles = ledger.obstacles();
  if (!obstacles.empty()) out += "what would let more be explored:\n";
  for (size_t i = 0; i < obstacles.size() && i < kMostObstacles; ++i) {
    const Obstacle& obstacle = obstacles[i];
    out += "  " + obstacle.text + ": " +
           count(obstacle.files.size(), obstacle.functions == 0 ? "file" : "function") + " (";
    for (size_t k = 0; k < obstacle.files.size() && k < kMostNamed; ++k)
      out += (k == 0 ? "" : ", ") + obstacle.files[k];
    out += obstacle.files.size() > kMostNamed ? ", ...)\n" : ")\n";
  }
  return out + brokenText(result, obstacles) + summaryLine(result, ledger) + '\n';
}

nlohmann::ordered_json scanJson(const ScanResult& result, const ScanLedger& ledger) {
  Json findings = Json::array();
  for (const ScannedFinding& found : result.findings) {
    Report report;
    report.findings.push_back(found.finding);
    Json json = reportJson(report)["findings"][0];
    json["harness"] = found.harness;
    json["replay"] = replayCommand(found.context, found.finding.schedule);
    findings.push_back(std::move(json));
  }
  Json functions = Json::array();
  for (const ScannedFunction& function : ledger.functions()) {
    Json json = {{"name", function.name},
                 {"place", places(function.place)},
                 {"public", function.isPublic},
                 {"known", toString(function.known)}};
    if (!function.why.empty()) json["why"] = function.why;
    functions.push_back(std::move(json));
  }
  Json obstacles = Json::array();
  for (const Obstacle& obstacle : ledger.obstacles())
    obstacles.push_back(
        {{"text", obstacle.text}, {"functions", obstacle.functions}, {"where", obstacle.files}});
  Json suspects = Json::array();
  for (const ScannedSuspect& suspect : ledger.suspects())
    suspects.push_back({{"data", suspect.data},
                        {"file", suspect.file},
                        {"lines", suspect.lines},
                        {"state", toString(suspect.state)},
                        {"why", suspect.why}});
  Json counts = Json::object();
  for (const Known known : {Known::Violated, Known::Possible, Known::Proven, Known::Explored, Known::Unknown})
    counts[toString(known)] = ledger.count(known);
  return {{"heddle", heddleVersion()},
          {"folder", result.folder},
          {"files", result.files},
          {"broken", result.broken},
          {"partial", result.partial},
          {"build_step", result.buildStep},
          {"not_looked", result.notLooked},
          {"harnesses", result.harnesses},
          {"programs", result.programs},
          {"explored", result.explored},
          {"explored_without_memory", result.exploredWithoutMemory},
          {"out_of_time", result.outOfTime},
          {"seconds", result.seconds},
          {"look_seconds", result.lookSeconds},
          {"counts", counts},
          {"findings", findings},
          {"functions", functions},
          {"suspects", suspects},
          {"obstacles", obstacles}};
}

std::vector<SarifFile> scanSarif(const ScanResult& result) {
  std::vector<SarifFile> files;
  std::map<std::string, size_t> byFile;
  for (const ScannedFinding& found : result.findings) {
    const auto [known, isNew] = byFile.try_emplace(found.file, files.size());
    if (isNew) {
      files.emplace_back();
      files.back().report.file = found.file;
      files.back().text = found.text;
    }
    Report& report = files[known->second].report;
    (found.finding.possible ? report.warnings : report.findings).push_back(found.finding);
  }
  return files;
}

}  // namespace heddle
