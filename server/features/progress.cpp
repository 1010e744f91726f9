#include "server/features/progress.h"

#include "protocol/decode.h"
#include "server/render/text_report.h"

namespace heddle {

namespace {
constexpr std::chrono::milliseconds kBetweenReports{100};
}

struct RunProgress::State {
  using Clock = std::chrono::steady_clock;
  enum class Phase : uint8_t { Hidden, Asked, Begun, Ended };

  lsp::OutgoingCalls& client;
  lsp::ProgressToken token;
  std::string title;
  Phase phase = Phase::Hidden;
  std::string latest;   // of the counts
  std::string verdict;  // when the run ended before the client answered
  bool finished = false;
  Clock::time_point lastReport{};

  template <class Value>
  void send(Value value) {
    client.notify("$/progress", lsp::ProgressParams{token, std::move(value)});
  }

  void begin() {
    phase = Phase::Begun;
    lastReport = Clock::now();
    lsp::WorkDoneProgressBegin begin;
    begin.title = title;
    begin.cancellable = true;
    if (!latest.empty()) begin.message = latest;
    send(std::move(begin));
    if (finished) end();
  }

  void end() {
    phase = Phase::Ended;
    lsp::WorkDoneProgressEnd end;
    if (!verdict.empty()) end.message = verdict;
    send(std::move(end));
  }
};

std::string progressText(const Progress& progress) {
  return count(progress.executions, "execution") + ", " + count(progress.paths, "path") + ", " +
         std::to_string(progress.openLeaves) + " open";
}

RunProgress::RunProgress(lsp::OutgoingCalls& client, lsp::ProgressToken token, std::string title)
    : state_(new State{client, std::move(token), std::move(title), State::Phase::Hidden, {}, {}, false, {}}) {
}

RunProgress::~RunProgress() {
  if (!state_->finished) end("");
}

const lsp::ProgressToken& RunProgress::token() const {
  return state_->token;
}

void RunProgress::show() {
  if (state_->phase != State::Phase::Hidden) return;
  state_->phase = State::Phase::Asked;
  state_->client.request<lsp::json>("window/workDoneProgress/create",
                                    lsp::WorkDoneProgressCreateParams{state_->token},
                                    [state = state_](const lsp::Decoded<lsp::json>& answer) {
                                      const bool accepted = std::holds_alternative<lsp::json>(answer);
                                      if (accepted)
                                        state->begin();
                                      else
                                        state->phase = State::Phase::Ended;  // the token must not be used
                                    });
}

void RunProgress::report(const Progress& progress) {
  report(progressText(progress));
}

void RunProgress::report(const std::string& message) {
  state_->latest = message;
  const auto now = State::Clock::now();
  if (state_->phase != State::Phase::Begun || now - state_->lastReport < kBetweenReports) return;
  state_->lastReport = now;
  lsp::WorkDoneProgressReport report;
  report.message = state_->latest;
  state_->send(std::move(report));
}

void RunProgress::end(const std::string& message) {
  state_->finished = true;
  state_->verdict = message;
  if (state_->phase == State::Phase::Begun) state_->end();
  if (state_->phase == State::Phase::Hidden) state_->phase = State::Phase::Ended;
}

}  // namespace heddle
