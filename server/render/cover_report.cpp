#include "server/render/cover_report.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "server/render/duration_text.h"
#include "server/render/text_report.h"

namespace heddle {

namespace {

std::string placeOf(const SourcePlace& place) {
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string sideText(const CoverSide& side) {
  if (side.isFailure) return placeOf(side.place) + ": the assertion fails";
  return placeOf(side.place) + ": " + side.text;
}

bool takes(const CoverSide& side, size_t entry) {
  return std::find(side.by.begin(), side.by.end(), static_cast<uint32_t>(entry)) != side.by.end();
}

/// "cannot be:" and what cannot, a line each.
std::string listOf(const CoverReport& report, SideState state) {
  std::string out;
  for (const CoverSide& side : report.sides)
    if (side.state == state && !side.isFailure) out += "    " + sideText(side) + '\n';
  return out.empty() ? out : std::string("  ") + toString(state) + ":\n" + out;
}

}  // namespace

std::string coverText(const CoverReport& report, const std::string& file, const std::string& folder) {
  const uint32_t covered = report.count(SideState::Covered), impossible = report.count(SideState::CannotBe),
                 open = report.count(SideState::Open);
  std::string out = file + ": covered " + std::to_string(covered) + " of " +
                    std::to_string(covered + impossible + open) + " sides of branches, " +
                    std::to_string(impossible) + " cannot be, " + std::to_string(open) + " open (" +
                    count(report.executions, "execution") + ", " +
                    secondsText(std::chrono::duration<double>(report.seconds)) + ")\n";
  out += listOf(report, SideState::CannotBe) + listOf(report, SideState::Open);
  for (const std::string& limit : report.limits) out += "  open because: " + limit + '\n';
  out += "  suite of " + count(report.suite.size(), "schedule") + (folder.empty() ? "" : " in " + folder) +
         ":\n";
  for (size_t i = 0; i < report.suite.size(); ++i) {
    const SuiteEntry& entry = report.suite[i];
    out += "    " + suiteFileName(i).substr(0, 3) + "  " + count(entry.sides, "side");
    if (!entry.fails.empty()) out += ", fails: " + entry.fails;
    out += folder.empty() ? "\n         " + entry.schedule + '\n' : "\n";
  }
  return out;
}

nlohmann::ordered_json coverJson(const CoverReport& report, const std::string& file,
                                 const std::string& folder, const std::string& problem) {
  nlohmann::ordered_json json = {{"file", file},
                                 {"covered", report.count(SideState::Covered)},
                                 {"cannot_be", report.count(SideState::CannotBe)},
                                 {"open", report.count(SideState::Open)},
                                 {"complete", report.complete},
                                 {"limits", report.limits},
                                 {"executions", report.executions},
                                 {"seconds", report.seconds},
                                 {"problem", problem}};
  json["suite"] = nlohmann::ordered_json::array();
  for (size_t i = 0; i < report.suite.size(); ++i) {
    const SuiteEntry& entry = report.suite[i];
    json["suite"].push_back({{"schedule", entry.schedule}, {"sides", entry.sides}, {"fails", entry.fails}});
    if (!folder.empty()) json["suite"].back()["file"] = folder + "/" + suiteFileName(i);
  }
  json["sides"] = nlohmann::ordered_json::array();
  for (const CoverSide& side : report.sides)
    json["sides"].push_back({{"file", side.place.file},
                             {"line", side.place.line},
                             {"column", side.place.column},
                             {"function", side.place.function},
                             {"side", side.text},
                             {"assertion_fails", side.isFailure},
                             {"state", toString(side.state)},
                             {"by", side.by}});
  return json;
}

std::string coverLcov(const CoverReport& report) {
  struct File {
    std::string functions, branches;
    std::map<uint32_t, size_t> lines;  // → entries of the suite that come there
    uint32_t functionsFound = 0, functionsHit = 0, branchesFound = 0, branchesHit = 0;
  };
  std::map<std::string, File> files;
  for (const CoverFunction& function : report.functions) {
    File& file = files[function.place.file];
    file.functions += "FN:" + std::to_string(function.place.line) + "," + function.name +
                      "\nFNDA:" + std::to_string(function.hits) + "," + function.name + "\n";
    ++file.functionsFound;
    file.functionsHit += function.hits != 0;
    size_t& hits = file.lines[function.place.line];
    hits = std::max<size_t>(hits, function.hits);
  }
  // A branch was executed by all entries that take one of its sides.
  std::map<uint32_t, std::vector<bool>> executed;
  for (const CoverSide& side : report.sides) {
    std::vector<bool>& by = executed[side.branch];
    by.resize(report.suite.size());
    for (const uint32_t entry : side.by) by[entry] = true;
  }
  std::map<uint32_t, uint32_t> sideOf;
  for (const CoverSide& side : report.sides) {
    const std::vector<bool>& by = executed[side.branch];
    const auto runs = static_cast<size_t>(std::count(by.begin(), by.end(), true));
    File& file = files[side.place.file];
    size_t& hits = file.lines[side.place.line];
    hits = std::max(hits, runs);
    const uint32_t number = sideOf[side.branch]++;
    if (side.isFailure || side.state == SideState::CannotBe) continue;
    ++file.branchesFound;
    file.branchesHit += !side.by.empty();
    file.branches += "BRDA:" + std::to_string(side.place.line) + "," + std::to_string(side.branch) + "," +
                     std::to_string(number) + "," + (runs == 0 ? "-" : std::to_string(side.by.size())) + "\n";
  }
  std::string out;
  for (const auto& [path, file] : files) {
    if (path.empty()) continue;
    out += "TN:\nSF:" + path + "\n" + file.functions + "FNF:" + std::to_string(file.functionsFound) +
           "\nFNH:" + std::to_string(file.functionsHit) + "\n" + file.branches +
           "BRF:" + std::to_string(file.branchesFound) + "\nBRH:" + std::to_string(file.branchesHit) + "\n";
    size_t hit = 0;
    for (const auto& [line, hits] : file.lines) {
      out += "DA:" + std::to_string(line) + "," + std::to_string(hits) + "\n";
      hit += hits != 0;
    }
    out += "LF:" + std::to_string(file.lines.size()) + "\nLH:" + std::to_string(hit) + "\nend_of_record\n";
  }
  return out;
}

std::string suiteFileName(size_t number) {
  char name[32];
  std::snprintf(name, sizeof name, "%03zu.schedule", number + 1);
  return name;
}

std::string suiteFileText(const CoverReport& report, size_t number, const std::string& replay) {
  const SuiteEntry& entry = report.suite[number];
  std::string out = "# " + replay + "\n";
  if (!entry.fails.empty()) out += "# fails: " + entry.fails + "\n";
  for (const CoverSide& side : report.sides)
    if (takes(side, number)) out += "# " + sideText(side) + "\n";
  return out + entry.schedule + "\n";
}

}  // namespace heddle
