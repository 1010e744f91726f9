#include "server/render/scan_report.h"

#include <cstdio>

#include "server/render/json_report.h"
#include "server/render/text_report.h"
#include "server/version.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostObstacles = 12;
constexpr size_t kMostNamed = 3;

std::string places(const SourcePlace& place) {
  return place.file + ":" + std::to_string(place.line);
}

std::string ledgerText(const ScanLedger& ledger) {
  std::string out;
  std::string file;
  for (const ScannedFunction& function : ledger.functions()) {
    if (!function.isPublic && function.known == Known::Unknown) continue;
    if (function.place.file != file) out += "  " + (file = function.place.file) + '\n';
    char line[160];
    std::snprintf(line, sizeof line, "    %-9s %s", toString(function.known), function.name.c_str());
    out += line + (function.why.empty() ? "" : "  (" + function.why + ")") + '\n';
  }
  return out;
}

}  // namespace

std::string scanText(const ScanResult& result, const ScanLedger& ledger) {
  std::string out;
  for (const ScannedFinding& found : result.findings) {
    Report report;
    report.file = found.file;
    out += renderText(report, found.finding, found.context);
  }
  out += "functions:\n" + ledgerText(ledger);
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
  size_t possible = 0;
  for (const ScannedFinding& found : result.findings) possible += found.finding.possible ? 1 : 0;
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f s", result.seconds);
  out += result.folder + ": " + count(result.findings.size() - possible, "finding") + ", " +
         std::to_string(possible) + " possible; functions: " + std::to_string(ledger.count(Known::Violated)) +
         " violated, " + std::to_string(ledger.count(Known::Possible)) + " possible, " +
         std::to_string(ledger.count(Known::Proven)) + " proven within bounds, " +
         std::to_string(ledger.count(Known::Explored)) + " explored, " +
         std::to_string(ledger.count(Known::Unknown)) + " unknown; " + count(result.files, "file") + " (" +
         std::to_string(result.broken) + " do not compile), " + std::to_string(result.explored) + " of " +
         std::to_string(result.harnesses + result.programs) + " explorations" +
         (result.outOfTime ? " (the time is up; --total gives more)" : "") + ", " + seconds + '\n';
  return out;
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
  Json counts = Json::object();
  for (const Known known : {Known::Violated, Known::Possible, Known::Proven, Known::Explored, Known::Unknown})
    counts[toString(known)] = ledger.count(known);
  return {{"heddle", heddleVersion()},     {"folder", result.folder},
          {"files", result.files},         {"broken", result.broken},
          {"harnesses", result.harnesses}, {"programs", result.programs},
          {"explored", result.explored},   {"out_of_time", result.outOfTime},
          {"seconds", result.seconds},     {"counts", counts},
          {"findings", findings},          {"functions", functions},
          {"obstacles", obstacles}};
}

}  // namespace heddle
