// FileSession: what the server shows of one open file and what it does about it now.
//
// Invariants: `shown` comes from one version of the text only. Before a run's first finding these are the
// last run's, moved along with the edits and marked stale; from then on the new run's.
//
// Threading: main loop.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/enforce/prefix.h"
#include "analysis/repair/weaker_orders.h"
#include "analysis/report.h"
#include "protocol/heddle_extensions.h"
#include "server/convert/located_finding.h"
#include "server/features/inlay_hints.h"
#include "server/features/notes.h"
#include "server/features/progress.h"
#include "server/project/project_graph.h"
#include "server/schedule/debounce.h"
#include "server/source/c_tokens.h"
#include "server/source/suppressions.h"
#include "server/state/run_state.h"
#include "server/state/settings.h"

namespace heddle {

/// A problem of the whole file, shown as one diagnostic of severity information.
struct FileProblem {
  ByteRange range;
  std::string code;
  std::string message;
};

/// Constraints under which a text was proved to be safe to run, on the user's command.
struct SafeRun {
  std::shared_ptr<const PositionMap> map;  // the text
  Prefix prefix;
  std::vector<std::string> constraints;  // in words
  Verdict verdict = Verdict::Incomplete;
};

/// The text with memory orders that are as weak as they can be, on the user's command.
struct FoundOrders {
  std::shared_ptr<const PositionMap> map;  // the text as it is
  WeakerOrders orders;
};

/// What schedules and inputs can take of a text, on the user's command.
struct ShownCoverage {
  std::shared_ptr<const PositionMap> map;  // the text
  lsp::Coverage shown;
};

struct FileSession {
  explicit FileSession(const boost::asio::any_io_executor& loop, DebounceLimits limits)
      : timer(loop), debounce(limits), settling(loop), publishing(loop), resting(loop) {}

  /// Tokens of a text; those of the last few are kept, because every keystroke asks for them. The reference
  /// is good until the next but one call.
  const CText& tokensOf(const std::shared_ptr<const PositionMap>& map) {
    constexpr size_t kKept = 4;
    for (auto known = lexed.begin(); known != lexed.end(); ++known) {
      if (known->first != map) continue;
      lexed.splice(lexed.end(), lexed, known);
      return lexed.back().second;
    }
    lexed.emplace_back(map, lexC(map->text()));
    if (lexed.size() > kKept) lexed.pop_front();
    return lexed.back().second;
  }
  std::list<std::pair<std::shared_ptr<const PositionMap>, CText>> lexed;

  std::vector<LocatedFinding> shown;
  std::optional<FileProblem> problem;
  std::vector<LocatedNote> notes;      // of the last report
  std::vector<LocatedRead> reads;      // the same; empty unless inlay hints are on
  std::vector<IgnoreComment> ignores;  // of the document as it is now

  boost::asio::steady_timer timer;
  Debounce debounce;
  uint64_t timerRound = 0;  // a timer that fires with an older round has been overtaken

  boost::asio::steady_timer settling;
  std::shared_ptr<const PositionMap> usersHave;  // the text with which the file's users were run last
  std::shared_ptr<const PositionMap> onDisk;     // as it was opened or last saved
  bool unsettled = false;                        // edits have come that Workspace::settle has not looked at

  boost::asio::steady_timer publishing;
  bool publishSoon = false;  // `shown` has more than what was published
  boost::asio::steady_timer resting;
  std::string restingOn;  // the finding that the user looks at; empty: none

  RunState run;
  /// Null: no request is with the queue.
  Running* running() { return std::get_if<Running>(&run); }
  const Running* running() const { return std::get_if<Running>(&run); }

  std::optional<Report> lastReport;  // of the last run that was not superseded; its places are in `explored`
  std::shared_ptr<const PositionMap> explored;
  std::shared_ptr<const PositionMap> reported;  // the text that it was made from, if no place has moved since
  std::chrono::milliseconds lastBudget{0};
  std::map<std::string, std::shared_ptr<const PositionMap>> otherTexts;  // that its findings point into
  std::chrono::steady_clock::time_point lastStatus{};
  uint64_t published = 0;  // counts publications; the result id of pull diagnostics
  Settings settings;       // of this file: the editor's, the user's and the project's
  lsp::json scoped;        // what the editor says is set for this file; null: it was not asked, or knows none
  Baseline baseline;
  std::string database;    // the project's; empty: none
  ProjectProgram program;  // of the running or last exploration; without an entry: the file alone
  SourcePlace harness;     // the comment that the running or last exploration began with; line 0: none
  std::vector<LocatedNote> harnessProblems;  // of the document as it is now
  std::optional<SafeRun> safeRun;
  std::optional<FoundOrders> orders;
  std::optional<ShownCoverage> coverage;
  std::unique_ptr<RunProgress> coverProgress;  // of the running one
  std::string entry;   // of a run that begins in another function than the setting's; empty: that one
  bool stale = false;  // the document is not the program that `lastReport` is about
};

}  // namespace heddle
