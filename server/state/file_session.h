// FileSession: what the server shows of one open file and what it does about it now.
//
// Invariants: `shown` comes from one version of the text only. Before a run's first finding these are the
// last run's, moved along with the edits and marked stale; from then on the new run's.
//
// Threading: main loop.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report.h"
#include "server/convert/located_finding.h"
#include "server/features/progress.h"
#include "server/schedule/debounce.h"

namespace heddle {

/// A problem of the whole file, shown as one diagnostic of severity information.
struct FileProblem {
  ByteRange range;
  std::string code;
  std::string message;
};

struct FileSession {
  explicit FileSession(const boost::asio::any_io_executor& loop, DebounceLimits limits)
      : timer(loop), debounce(limits) {}

  std::vector<LocatedFinding> shown;
  std::optional<FileProblem> problem;
  bool freshFindings = false;  // `shown` is of the running request, not of an earlier one

  boost::asio::steady_timer timer;
  Debounce debounce;
  uint64_t timerRound = 0;  // a timer that fires with an older round has been overtaken

  std::chrono::steady_clock::time_point started;
  std::unique_ptr<RunProgress> progress;  // of the running request
  std::optional<Report> lastReport;       // of the last run that was not superseded
};

}  // namespace heddle
