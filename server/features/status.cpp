#include "server/features/status.h"

#include <algorithm>

#include "server/features/native_action.h"
#include "server/features/publish.h"
#include "server/render/text_report.h"

namespace heddle {
namespace {

const char* stateName(Verdict verdict) {
  return toString(verdict);
}

std::string exploringText(const Progress& counts) {
  if (counts.executions == 0) return "exploring";
  return "exploring: " + count(counts.paths, "path") + ", " + count(counts.executions, "execution") + ", " +
         std::to_string(counts.openLeaves) + " open";
}

void tell(const AwaitingPause&, const FileSession&, lsp::StatusParams& status) {
  status.state = "waiting";
  status.text = "waiting for a pause in typing";
}

void tell(const AwaitingProject&, const FileSession&, lsp::StatusParams& status) {
  status.state = "waiting";
  status.text = "looking up which files the program has";
}

void tell(const Running& run, const FileSession&, lsp::StatusParams& status) {
  status.state = run.isExploring ? "exploring" : "compiling";
  status.text = run.isExploring ? exploringText(run.counts) : status.state;
  if (!run.isExploring) return;
  status.paths = run.counts.paths;
  status.executions = run.counts.executions;
  status.open = run.counts.openLeaves;
}

void tell(const NotRunning&, const FileSession& session, lsp::StatusParams& status) {
  status.stale = session.stale;
  status.state = session.lastReport ? stateName(session.lastReport->verdict) : "idle";
  status.text = session.lastReport ? verdictLine(*session.lastReport) : "not verified yet";
  if (session.lastReport && session.lastReport->verdict == Verdict::Violated && status.findings == 0 &&
      status.suppressed > 0)
    status.text = "only suppressed findings: " + status.text;
}

}  // namespace

lsp::StatusParams statusOf(const FileSession& session, const Document& document, const std::string& entry) {
  lsp::StatusParams status;
  status.uri = document.uri;
  status.version = document.version;
  status.entry = entry;
  for (size_t i = 0; i < session.shown.size(); i++) {
    const LocatedFinding& located = session.shown[i];
    if (isWarning(located.finding) || isToldBefore(session.shown, i)) continue;
    (located.suppressed ? status.suppressed : status.findings)++;
  }
  if (session.lastReport) {
    const Report& report = *session.lastReport;
    status.paths = report.stats.paths;
    status.executions = report.stats.executions;
    status.open = report.stats.openLeaves;
    for (const NamedBound& bound : report.bounds) status.bounds.push_back(bound.text);
    status.assumptions = static_cast<uint32_t>(report.assumptions.size());
    status.commandSource = report.commandSource;
    status.commandGuessed = report.commandSource.find("inferred") != std::string::npos;
  }
  std::visit([&](const auto& state) { tell(state, session, status); }, session.run);
  status.safeRun = safeRunText(session, document);
  if (!status.safeRun.empty()) status.text += "; " + status.safeRun;
  return status;
}

lsp::StatusParams closedStatus(const Document& document) {
  lsp::StatusParams status;
  status.uri = document.uri;
  status.version = document.version;
  status.state = "closed";
  return status;
}

}  // namespace heddle
