// The workspace's command for coverage: what the user asked for, and nothing by itself.
#include <boost/asio/post.hpp>
#include <stop_token>
#include <utility>

#include "server/features/code_lens.h"
#include "server/features/coverage_view.h"
#include "server/render/interleaving.h"
#include "server/state/workspace.h"

namespace heddle {
namespace {

using lsp::json;

/// The answer to one command, and the way of its cancellation to the run. Of the main loop.
struct AskedCover {
  explicit AskedCover(lsp::Reply<json> given) : reply(std::move(given)) {}
  lsp::Reply<json> reply;
  std::optional<std::stop_callback<std::function<void()>>> cancelled;
};

}  // namespace

void Workspace::executeCover(const FileCommand& given, lsp::Reply<json> reply) {
  const auto& [name, argument, document, session] = given;
  const auto refuse = [&](const std::string& why) { reply.error(lsp::ErrorCode::InvalidParams, why); };
  if (!cover_.available()) return refuse("this server covers no branches");
  Subject subject = subjectOf(document, session);
  if (subject.waits) return refuse("the project is being indexed; ask again when it is done");

  const std::string key = document.key;
  CoverDesk::Request request;
  request.key = key;
  request.path = *document.path;
  request.lines = document.map->lineCount();
  request.snapshot = std::move(subject.snapshot);
  request.textFromDisk = subject.textFromDisk;
  request.options = std::move(subject.options);
  request.options.workers = 1;  // the editor needs the rest
  request.budget = session.settings.saveBudget;

  const auto asked = std::make_shared<AskedCover>(std::move(reply));
  cover_.start(
      std::move(request),
      [this, key](const CoverProgress& progress) {
        FileSession* current = sessionOf(key);
        if (current != nullptr && current->coverProgress)
          current->coverProgress->report(std::to_string(progress.covered) + " of " +
                                         std::to_string(progress.sides) + " sides of branches");
      },
      [this, asked, key, map = document.map](const CoverDesk::Outcome* outcome) {
        asked->cancelled.reset();
        FileSession* current = sessionOf(key);
        const Document* latest = documents_.findKey(key);
        if (outcome == nullptr || current == nullptr || latest == nullptr || latest->map != map) {
          if (current != nullptr) current->coverProgress.reset();
          return asked->reply.error(lsp::ErrorCode::ContentModified, "the text has changed");
        }
        const std::unique_ptr<RunProgress> progress = std::move(current->coverProgress);
        if (asked->reply.stopToken().stop_requested()) return asked->reply.cancelled();
        if (!outcome->report.problem.empty())
          return asked->reply.error(lsp::ErrorCode::RequestFailed, "heddle: " + outcome->report.problem);
        lsp::Coverage shown =
            coverageView(outcome->report, {*latest->path, *map, outcome->texts, style_.diagnostics.encoding},
                         {latest->uri, latest->version}, replayOf(*latest, *current));
        if (progress) progress->end(shown.text);
        asked->reply(json(shown));
        showCoverage(*current, *latest, std::move(shown));
      });
  asked->cancelled.emplace(asked->reply.stopToken(), [loop = &loop_, weakSelf = std::weak_ptr(self_), key] {
    boost::asio::post(*loop, [weakSelf, key] {
      if (const auto self = weakSelf.lock()) (*self)->cover_.stop(key);
    });
  });
  if (!style_.progress) return;
  session.coverProgress =
      std::make_unique<RunProgress>(client_, lsp::ProgressToken{"heddle/" + std::to_string(nextToken_++)},
                                    "Heddle: coverage of " + baseName(*document.path));
  session.coverProgress->show();
}

/// A client that shows nothing of its own tells the user at least how much it is, and the lens keeps it.
void Workspace::showCoverage(FileSession& session, const Document& document, lsp::Coverage coverage) {
  if (!style_.heddle.coverage) {
    std::string told = "heddle: " + baseName(*document.path) + ": " + coverage.text;
    for (const lsp::CoverageBranch& branch : coverage.branches) {
      constexpr size_t kMostTold = 600;
      if (branch.state == toString(SideState::Covered) || told.size() > kMostTold) continue;
      std::string text = branch.text.substr(0, branch.text.find("\nopen because: "));
      for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "; ");
      told += "\nline " + std::to_string(branch.location.range.start.line + 1) + ": " + text;
    }
    say(lsp::MessageType::Info, told);
  }
  session.coverage = ShownCoverage{document.map, std::move(coverage)};
  refreshLenses();
}

}  // namespace heddle
