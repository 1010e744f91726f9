#include "server/driver/repair.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <ostream>
#include <sstream>

#include "analysis/repair/realize.h"
#include "server/diagnostics_page.h"
#include "server/driver/exploration_input.h"
#include "server/driver/source_file.h"
#include "server/render/finding_group.h"
#include "server/render/json_report.h"
#include "server/render/sarif_report.h"
#include "server/render/text_report.h"
#include "server/render/unified_diff.h"

namespace heddle {
namespace {

std::string shownPath(const std::string& path, const std::vector<SourceFile>& files) {
  for (const SourceFile& file : files)
    if (path == file.absolute) return file.given;
  return path;
}

std::string curesText(const Patch& patch, const Report& report) {
  const std::vector<FindingGroup> bugs = groupsOf(report.findings);
  if (bugs.size() < 2) return "";
  if (patch.after.findings.empty()) return ", cures all " + std::to_string(bugs.size()) + " findings";
  const auto isCured = [&](const Finding* finding) {
    return std::find(patch.cures.begin(), patch.cures.end(), finding->id) != patch.cures.end();
  };
  const auto cured = std::count_if(bugs.begin(), bugs.end(), [&](const FindingGroup& bug) {
    return isCured(bug.head) && std::all_of(bug.also.begin(), bug.also.end(), isCured);
  });
  return ", cures " + std::to_string(cured) + " of " + count(bugs.size(), "finding");
}

std::string patchText(const Patch& patch, size_t number, const Report& report, const ExplorationInput& input,
                      const std::vector<SourceFile>& files) {
  std::string out =
      "# patch " + std::to_string(number) + ": " + patch.repair.title + curesText(patch, report) + "\n";
  for (const auto& [path, text] : patch.texts)
    out +=
        unifiedDiff(shownPath(path, files), input.withoutHarness(path, textIn(input.snapshot, path)), text);
  return out;
}

/// "2 verified patches"; who was not explored in full is none of them.
std::string countOf(const std::vector<Patch>& patches) {
  const auto verified =
      static_cast<uint64_t>(std::count_if(patches.begin(), patches.end(), [](const Patch& patch) {
        return patch.repair.status == RepairStatus::Verified;
      }));
  std::string out = std::to_string(verified) + " verified patch" + (verified == 1 ? "" : "es");
  if (verified != patches.size())
    out += ", " + std::to_string(patches.size() - verified) + " explored in part";
  return out;
}

std::string rejectedText(const RejectedPatch& rejected, const Report& report) {
  std::string message = rejected.finding;
  for (const Finding& finding : report.findings)
    if (finding.id == rejected.finding) message = finding.message;
  return "# rejected for '" + message + "'" + (rejected.title.empty() ? "" : ": " + rejected.title) + ": " +
         rejected.reason + "\n";
}

bool writeBeside(const std::string& path, const std::string& text, const struct stat& old,
                 std::string& temporary) {
  temporary = path + ".heddle-XXXXXX";
  const int file = mkstemp(temporary.data());
  if (file < 0) return false;
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written <= 0) break;
    done += static_cast<size_t>(written);
  }
  const bool ok = done == text.size() && fchmod(file, old.st_mode & 07777) == 0 && fsync(file) == 0;
  if (close(file) != 0 || !ok) {
    unlink(temporary.c_str());
    return false;
  }
  return true;
}

}  // namespace

std::string replaceFiles(const std::map<std::string, std::string>& texts,
                         const std::map<std::string, std::string>& expected) {
  std::map<std::string, std::string> temporaries, before;
  const auto giveUp = [&](const std::string& problem) {
    for (const auto& [path, temporary] : temporaries) unlink(temporary.c_str());
    return problem;
  };
  for (const auto& [path, text] : texts) {
    struct stat old {};
    if (stat(path.c_str(), &old) != 0) return giveUp(path + ": is gone; nothing was changed");
    // Not access(): root may write anything, and still did not mean to change a file marked read-only.
    if ((old.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 || access(path.c_str(), W_OK) != 0)
      return giveUp(path + ": is read-only; make it writable (chmod u+w) and try again. Nothing was changed");
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream now;
    if (stream.peek() != std::ifstream::traits_type::eof()) now << stream.rdbuf();
    if (const auto was = expected.find(path); was != expected.end() && now.str() != was->second)
      return giveUp(path + ": has changed meanwhile; run heddle repair again. Nothing was changed");
    before[path] = now.str();
    std::string temporary;
    if (!writeBeside(path, text, old, temporary))
      return giveUp(path +
                    ": cannot be written (is the folder writable, is the disk full?); nothing was changed");
    temporaries[path] = temporary;
  }
  std::vector<std::string> replaced;
  for (const auto& [path, temporary] : temporaries) {
    if (std::rename(temporary.c_str(), path.c_str()) == 0) {
      replaced.push_back(path);
      continue;
    }
    // All or none: what was replaced gets its old text again.
    for (const std::string& done : replaced) {
      struct stat now {};
      std::string old;
      if (stat(done.c_str(), &now) != 0 || !writeBeside(done, before[done], now, old) ||
          std::rename(old.c_str(), done.c_str()) != 0)
        return giveUp(path + ": cannot be replaced, and neither can " + done + " be put back");
    }
    return giveUp(path + ": cannot be replaced; nothing was changed");
  }
  return {};
}

int runRepair(const RepairCommand& command, const Engine& engine, Streams streams, std::stop_token stop) {
  std::vector<SourceFile> files;
  if (!readSources(command.files, files, streams.err)) return kExitUsage;
  const SourceFile* const file = &files.front();
  const ExplorationInput input = explorationOf(files, command, engine, streams.err);
  const Snapshot& snapshot = input.snapshot;
  // Finding takes at most half of the time, or none would be left for repairing.
  CommonOptions half = input.options;
  half.budget = half.budget / 2;
  const Budget toFind = budgetOf(half, stop);
  const Budget budget = budgetOf(input.options, std::move(stop));
  Options options = input.options.options;
  options.summarizeAccesses = true;
  Report report = engine.analyze(snapshot, options, toFind, Observer{});
  RepairResult repairs;
  if (!report.findings.empty()) repairs = engine.repair(snapshot, options, report, "", budget);
  for (Patch& patch : repairs.patches)
    for (auto& [path, text] : patch.texts) text = input.withoutHarness(path, text);

  if (command.apply != 0) {
    if (command.apply > repairs.patches.size()) {
      streams.err << "heddle: error: there is no patch " << command.apply << ": " << countOf(repairs.patches)
                  << " found\n";
      return kExitUsage;
    }
    const Patch& patch = repairs.patches[command.apply - 1];
    std::map<std::string, std::string> expected;
    for (const auto& [path, text] : patch.texts)
      expected[path] = input.withoutHarness(path, textIn(snapshot, path));
    if (const std::string failed = replaceFiles(patch.texts, expected); !failed.empty()) {
      streams.err << "heddle: error: " << failed << '\n';
      return kExitUsage;
    }
    streams.out << file->given << ": applied: " << patch.repair.title << '\n' << std::flush;
    return exitCodeOf(patch.after);
  }

  if (command.format != Format::Text) {
    for (Finding& finding : report.findings)
      for (const Patch& patch : repairs.patches)
        if (std::find(patch.cures.begin(), patch.cures.end(), finding.id) != patch.cures.end())
          finding.repairs.push_back(patch.repair);
    input.showAsWritten(report);
    if (command.format == Format::Sarif) {
      const SarifFile sarif{report, input.withoutHarness(file->absolute, file->text), {}};
      streams.out << dumpLine(sarifReport({sarif}, diagnosticsSections())) << std::flush;
      return exitCodeOf(report);
    }
    nlohmann::ordered_json json = reportJson(report);
    if (repairs.firstVerifiedAfter) json["first_repair_seconds"] = *repairs.firstVerifiedAfter;
    json["rejected_repairs"] = nlohmann::ordered_json::array();
    for (const RejectedPatch& rejected : repairs.rejected)
      json["rejected_repairs"].push_back(
          {{"finding", rejected.finding}, {"title", rejected.title}, {"reason", rejected.reason}});
    streams.out << dumpLine(json) << std::flush;
    return exitCodeOf(report);
  }
  size_t number = 0;
  for (const Patch& patch : repairs.patches) streams.out << patchText(patch, ++number, report, input, files);
  if (command.verbose)
    for (const RejectedPatch& rejected : repairs.rejected) streams.out << rejectedText(rejected, report);
  input.showAsWritten(report);
  for (const FindingGroup& bug : groupsOf(report.findings)) {
    const Finding& finding = *bug.head;
    const bool cured = std::any_of(repairs.patches.begin(), repairs.patches.end(), [&](const Patch& patch) {
      return std::find(patch.cures.begin(), patch.cures.end(), finding.id) != patch.cures.end();
    });
    if (cured) continue;
    const bool always = finding.explanation && finding.explanation->failsAlways;
    streams.out << "# no verified patch for '" << finding.message << "'"
                << (always
                        ? ": it fails on every schedule with its inputs, so no synchronization can repair it"
                    : repairs.outOfBudget ? ": the budget ended first"
                                          : "")
                << (command.verbose || repairs.rejected.empty() ? "" : "; --verbose lists what was tried")
                << '\n';
  }
  streams.out << file->given << ": " << verdictLine(report) << "; " << countOf(repairs.patches) << '\n'
              << std::flush;
  if (const std::string line = problemLine(report); !line.empty()) streams.err << line << '\n';
  return exitCodeOf(report);
}

}  // namespace heddle
