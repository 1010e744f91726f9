// RunProgress: shows one exploration as work-done progress with counts, which the user can cancel.
//
// Life: the token is asked for (window/workDoneProgress/create); begin follows when the client has accepted;
// reports at most ten a second; end with the verdict. Runs that end quickly after a keystroke ask for no
// token at all, or the status line would flicker. Clients without work-done progress get nothing.
//
// Threading: main loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "analysis/pipeline/pipeline.h"
#include "protocol/outgoing.h"
#include "protocol/progress.h"

namespace heddle {

/// "12 executions, 9 paths, 3 open"
std::string progressText(const Progress& progress);

class RunProgress {
 public:
  /// `client` must outlive all answers it delivers.
  RunProgress(lsp::OutgoingCalls& client, lsp::ProgressToken token, std::string title);
  /// A run that is given up without a verdict still ends what it began.
  ~RunProgress();
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

  const lsp::ProgressToken& token() const;

  /// Asks for the token unless that has been done.
  void show();
  void report(const Progress& progress);
  void report(const std::string& message);
  void end(const std::string& message);

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the answer to `create`, which may come after the run
};

}  // namespace heddle
