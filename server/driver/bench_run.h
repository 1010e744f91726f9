// One row of the suite: explore its program in a child process and compare with what was expected.
//
// Must be called from a process with one thread (see child_process.h).
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "analysis/support/tuning.h"
#include "server/driver/bench_suite.h"
#include "server/engine.h"

namespace heddle {

enum class Agreement : uint8_t {
  AsExpected,
  NoAnswer,  // incomplete, bounded, crashed, …: not what was expected, and no false claim
  Wrong,     // a bug where there is none, or none where there is one
};

struct BenchResult {
  BenchRow row;
  std::string strategy;
  std::string verdict;  // of the expected properties: "violated", or "assert=violated race=verified"
  std::string problem;
  Agreement agreement = Agreement::NoAnswer;
  uint64_t paths = 0, executions = 0, queries = 0;
  // Of con2colic: covered branches by interferences, how many there are, scenarios, executions that found
  // something.
  std::vector<uint64_t> covered, found;
  uint64_t branches = 0, scenarios = 0;
  double cpuSeconds = 0, wallSeconds = 0;
  double firstFindingSeconds = -1;  // wall clock; negative: none
  uint64_t peakRssMb = 0;
  /// CPU time over that of the same row with the narrower environment of `runBenchRow`; negative: not
  /// measured.
  double costOfDefaults = -1;
  /// The same row by several workers; without a value: not measured.
  struct Parallel {
    unsigned workers = 0;
    double cpuSeconds = 0, wallSeconds = 0;
    double speedUp = 0;  // wall clock of one worker over that of several
    bool same = true;    // verdict, paths, executions and queries are those of one worker
  };
  std::optional<Parallel> parallel;
  bool targetMet() const {
    return agreement == Agreement::AsExpected && row.targetSeconds && cpuSeconds <= *row.targetSeconds;
  }
};

/// What a row is explored with, beside its own flags.
struct BenchSetting {
  Environment environment = {};
  std::set<Property> alsoProperties = {};          // beside those that the row expects
  std::shared_ptr<const Tuning> tuning = nullptr;  // null: the table's own
};

BenchResult runBenchRow(const BenchRow& row, const std::string& programFolder, const Engine& engine,
                        Options options, std::chrono::milliseconds budget, const BenchSetting& setting = {});

/// The cost of what is explored by default: waits that wake by themselves, weak exchanges that fail, and
/// memory that was never written. CPU time with it over CPU time without, medians of three runs of each,
/// taken in turns.
double costOfDefaults(const BenchRow& row, const std::string& programFolder, const Engine& engine,
                      const Options& options, std::chrono::milliseconds budget,
                      const BenchSetting& setting = {});

/// Explores the row with one worker and with `workers` in turns, up to five times while that takes few
/// seconds. Gives the medians of the times and of their ratios.
BenchResult runInParallel(const BenchRow& row, const std::string& programFolder, const Engine& engine,
                          Options options, std::chrono::milliseconds budget, unsigned workers,
                          const BenchSetting& setting = {});

/// `actual`: property → verdict.
Agreement compareVerdicts(const std::map<std::string, std::string>& expected,
                          const std::map<std::string, std::string>& actual);

}  // namespace heddle
