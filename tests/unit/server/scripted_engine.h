// An engine that answers by what stands in the text, so that sessions can be tested without an exploration:
//   HANG: runs until it is stopped       BROKEN: does not compile       ODD: unsupported
//   BUG:  a finding at that word         TWICE: a second one at the first line
//   CROWD: three threads of worker() take part in the findings
//   SHARED: what follows is written by two threads without a lock
#pragma once

#include "held.h"
#include "sample_reports.h"
#include "server/engine.h"

namespace heddle::testing {

struct EngineHooks {
  std::function<void(const Snapshot&, const Options&)> started = [](const Snapshot&, const Options&) {};
};

inline Report cancelledReport(const Snapshot& snapshot, const Budget& budget) {
  Notification stopped;
  const std::stop_callback wake(budget.stopToken(), [&] { stopped.notify(); });
  stopped.wait();
  Report report;
  report.file = snapshot.path;
  report.verdict = Verdict::Cancelled;
  return report;
}

inline SourcePlace placeOf(const Snapshot& snapshot, const std::string& word) {
  const size_t at = snapshot.text.find(word);
  SourcePlace place{snapshot.path, 1, 1, "main"};
  for (size_t i = 0; i < at; i++) {
    place.column++;
    if (snapshot.text[i] == '\n') place.line++, place.column = 1;
  }
  return place;
}

inline Engine scriptedEngine(EngineHooks hooks = {}) {
  Engine engine;
  engine.findCommand = [](const std::string& path, std::string* problem) {
    if (path.find("damaged") != std::string::npos) *problem = "compile_commands.json is damaged";
    return CompileCommand{};
  };
  engine.analyze = [hooks](const Snapshot& snapshot, const Options& options, const Budget& budget,
                           const Observer& observer) {
    hooks.started(snapshot, options);
    const auto has = [&](const char* word) { return snapshot.text.find(word) != std::string::npos; };
    Report report;
    report.file = snapshot.path;
    report.commandSource = "inferred";
    report.stats.executions = 12;
    report.stats.paths = 9;
    report.verdict = Verdict::Verified;
    if (has("BROKEN") || has("ODD")) {
      report.verdict = has("BROKEN") ? Verdict::Error : Verdict::Unsupported;
      report.problem = "this is the reason";
      report.problemPlace = placeOf(snapshot, has("BROKEN") ? "BROKEN" : "ODD");
      return report;
    }
    if (has("SHARED")) {
      SharedAccess access;
      access.access = {placeOf(snapshot, "SHARED"), AccessKind::Write, "x", "main"};
      access.access.place.column += 7;
      access.data = "x";
      access.concurrent = true;
      report.accesses = {access};
    }
    for (const char* word : {"BUG", "TWICE"}) {
      if (!has(word)) continue;
      Finding finding = sampleFinding(snapshot.path);
      finding.id = word;
      if (word == std::string("BUG")) finding.place = placeOf(snapshot, word);
      if (has("CROWD"))
        finding.threads = {{"T0", "main"}, {"T10", "worker"}, {"T2", "worker"}, {"T1", "worker"}};
      if (word == std::string("TWICE")) finding.place = {snapshot.path, 1, 1, "main"};
      report.verdict = Verdict::Violated;
      report.findings.push_back(finding);
      observer.finding(finding);
    }
    observer.progress({12, 9, 3});
    if (has("HANG")) {
      const std::vector<Finding> findings = report.findings;
      report = cancelledReport(snapshot, budget);
      report.findings = findings;
    }
    return report;
  };
  return engine;
}

}  // namespace heddle::testing
