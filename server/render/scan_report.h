// A scan as text, as JSON and as what SARIF is made of.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "protocol/json.h"
#include "server/driver/scan_ledger.h"
#include "server/render/replay_command.h"
#include "server/render/sarif_report.h"

namespace heddle {

struct ScannedFinding {
  Finding finding;
  std::string file;     // of the report
  std::string text;     // of that file
  std::string harness;  // empty: a program of the project
  ReplayContext context;
};

struct ScanResult {
  std::string folder;
  size_t files = 0, broken = 0;          // of the folder; of these, that do not compile
  size_t partial = 0;                    // of the broken ones, that are explored as far as they compile
  size_t notLooked = 0;                  // for which there was no time
  size_t harnesses = 0, programs = 0;    // that could be explored
  size_t explored = 0;                   // of both
  size_t exploredWithoutMemory = 0;      // of these, again where allocations fail
  std::vector<ScannedFinding> findings;  // confirmed ones first
  double seconds = 0;
  double lookSeconds = 0;  // of these, the time until it was known what can be explored
  bool outOfTime = false;
  bool isOpen = false;    // an exploration was not decided, or a file that was asked for does not compile
  std::string buildStep;  // that makes what is missing, as the folder's files tell; empty: none is known

  /// What nobody explored is never "no bug".
  bool leavesOpen() const { return explored == 0 || notLooked != 0 || outOfTime || isOpen; }
};

/// Counts of everything, in one line.
std::string summaryLine(const ScanResult& result, const ScanLedger& ledger);
/// The findings by file, for sarifReport.
std::vector<SarifFile> scanSarif(const ScanResult& result);
std::string scanText(const ScanResult& result, const ScanLedger& ledger);
nlohmann::ordered_json scanJson(const ScanResult& result, const ScanLedger& ledger);

}  // namespace heddle
