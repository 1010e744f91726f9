#include "server/state/workspace.h"

#include <algorithm>

#include "server/features/hover.h"
#include "server/features/publish.h"
#include "server/render/interleaving.h"
#include "server/render/text_report.h"

namespace heddle {
namespace {

bool isHeader(const std::string& path) {
  return path.ends_with(".h") || path.ends_with(".inc") || path.ends_with(".def");
}

/// Headers are explored with the files that include them.
bool explorable(const Document& document) {
  if (!document.path || isHeader(*document.path)) return false;
  return document.languageId == "c" || document.path->ends_with(".c");
}

std::string tookText(double seconds) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, " (%.2f s)", seconds);
  return buffer;
}

}  // namespace

Workspace::Workspace(boost::asio::io_context& loop, lsp::OutgoingCalls& client, Engine engine,
                     const WorkspaceOptions& options)
    : loop_(loop),
      client_(client),
      options_(options),
      self_(std::make_shared<Workspace*>(this)),
      pool_(options.threads),
      queue_(loop.get_executor(), pool_, std::move(engine), *this) {
  settings_.options.workers = std::max(1U, options.threads);
}

Workspace::~Workspace() = default;

void Workspace::configure(const lsp::json& value) {
  std::vector<std::string> problems;
  settings_ = readSettings(settings_, value, problems);
  for (const std::string& problem : problems) say(lsp::MessageType::Warning, "heddle: " + problem);
  runOthers("", Cause::Asked);
}

void Workspace::opened(const lsp::TextDocumentItem& item) {
  if (down_) return;
  const Document& document = documents_.open(item);
  if (const auto old = sessions_.find(document.key); old != sessions_.end()) {
    forget(*old->second, document.key);
    sessions_.erase(old);
  }
  if (!explorable(document)) return;
  auto& session = sessions_[document.key];
  session = std::make_unique<FileSession>(loop_.get_executor(), options_.debounce);
  if (settings_.trigger != Trigger::Never) runNow(document, *session, Cause::Asked);
}

void Workspace::changed(const lsp::DidChangeTextDocumentParams& params) {
  if (down_) return;
  std::vector<AppliedChange> applied;
  const Document* document =
      documents_.change(params.textDocument, params.contentChanges, style_.diagnostics.encoding, applied);
  if (document == nullptr) return;
  FileSession* session = sessionOf(document->key);
  if (session == nullptr) {
    if (document->path && isHeader(*document->path)) runOthers(document->key, Cause::Edit);
    return;
  }
  forget(*session, document->key);
  for (const AppliedChange& change : applied) {
    std::erase_if(session->shown, [&](LocatedFinding& located) { return !shift(located, change); });
    if (session->problem) {
      const std::optional<ByteRange> moved = shiftRange(session->problem->range, change);
      if (moved)
        session->problem->range = *moved;
      else
        session->problem.reset();
    }
  }
  publish(*session, *document);
  if (settings_.trigger == Trigger::OnChange) runSoon(*document, *session);
}

void Workspace::saved(const lsp::DocumentUri& uri) {
  const Document* document = documents_.find(uri);
  if (document == nullptr || down_ || settings_.trigger == Trigger::Never) return;
  if (FileSession* session = sessionOf(document->key)) runNow(*document, *session, Cause::Asked);
  if (document->path && isHeader(*document->path)) runOthers(document->key, Cause::Asked);
}

void Workspace::closed(const lsp::DocumentUri& uri) {
  const Document* document = documents_.find(uri);
  if (document == nullptr) return;
  if (FileSession* session = sessionOf(document->key)) {
    forget(*session, document->key);
    lsp::PublishDiagnosticsParams nothing;
    nothing.uri = document->uri;
    client_.notify("textDocument/publishDiagnostics", nothing);
    sessions_.erase(document->key);
  }
  documents_.close(uri);
}

void Workspace::filesChanged() {
  runOthers("", Cause::Asked);
}

void Workspace::cancelProgress(const lsp::ProgressToken& token) {
  for (const auto& [key, session] : sessions_)
    if (session->progress && session->progress->token() == token) queue_.stop(key);
}

void Workspace::shutDown() {
  down_ = true;
  for (const auto& [key, session] : sessions_) forget(*session, key);
}

std::optional<lsp::Hover> Workspace::hover(const lsp::HoverParams& params) const {
  const Document* document = documents_.find(params.textDocument.uri);
  if (document == nullptr) return std::nullopt;
  const auto session = sessions_.find(document->key);
  if (session == sessions_.end()) return std::nullopt;
  return hoverAt(*session->second, *document->map, params.position,
                 {*document->path, settings_.options.entry, {}},
                 {style_.diagnostics.encoding, style_.markdown});
}

FileSession* Workspace::sessionOf(const std::string& key) {
  const auto found = sessions_.find(key);
  return found == sessions_.end() ? nullptr : found->second.get();
}

/// Whatever runs or waits to run for the file is of the past.
void Workspace::forget(FileSession& session, const std::string& key) {
  session.timer.cancel();
  session.timerRound++;
  session.progress.reset();
  session.freshFindings = false;
  queue_.drop(key);
}

void Workspace::runSoon(const Document& document, FileSession& session) {
  session.timer.expires_after(session.debounce.delay());
  session.timer.async_wait([weakSelf = std::weak_ptr(self_), key = document.key,
                            round = session.timerRound](boost::system::error_code error) {
    const auto self = weakSelf.lock();
    if (error || !self) return;
    Workspace& workspace = **self;
    FileSession* current = workspace.sessionOf(key);
    const Document* latest = workspace.documents_.findKey(key);
    if (current != nullptr && latest != nullptr && current->timerRound == round)
      workspace.runNow(*latest, *current, Cause::Edit);
  });
}

void Workspace::runNow(const Document& document, FileSession& session, Cause cause) {
  session.timer.cancel();
  session.timerRound++;
  session.progress.reset();
  session.freshFindings = false;
  session.started = std::chrono::steady_clock::now();

  AnalysisRequest request;
  request.key = document.key;
  request.version = document.version;
  request.snapshot.path = *document.path;
  request.snapshot.text = document.map->text();
  for (const auto& [key, other] : documents_.all())
    if (other.path && key != document.key) request.snapshot.overlays[*other.path] = other.map->text();
  request.options = settings_.options;
  request.budget = settings_.budget;

  if (style_.progress) {
    session.progress =
        std::make_unique<RunProgress>(client_, lsp::ProgressToken{"heddle/" + std::to_string(nextToken_++)},
                                      "Heddle: " + baseName(*document.path));
    if (cause == Cause::Asked) {
      session.progress->show();
    } else {
      session.timer.expires_after(options_.progressAfter);
      session.timer.async_wait([weakSelf = std::weak_ptr(self_), key = document.key,
                                round = session.timerRound](boost::system::error_code error) {
        const auto self = weakSelf.lock();
        if (error || !self) return;
        FileSession* current = (*self)->sessionOf(key);
        if (current != nullptr && current->timerRound == round && current->progress)
          current->progress->show();
      });
    }
  }
  queue_.submit(std::move(request));
}

void Workspace::runOthers(const std::string& key, Cause cause) {
  if (down_ || settings_.trigger == Trigger::Never ||
      (cause == Cause::Edit && settings_.trigger != Trigger::OnChange))
    return;
  for (const auto& [otherKey, session] : sessions_) {
    const Document* document = documents_.findKey(otherKey);
    if (otherKey == key || document == nullptr) continue;
    if (cause == Cause::Asked) {
      runNow(*document, *session, cause);
      continue;
    }
    forget(*session, otherKey);
    for (LocatedFinding& located : session->shown) located.stale = true;
    runSoon(*document, *session);
  }
}

void Workspace::onStarted(const AnalysisRequest&) {}

void Workspace::onFinding(const AnalysisRequest& request, const Finding& finding, const FileTexts& texts) {
  FileSession* session = sessionOf(request.key);
  const Document* document = documents_.findKey(request.key);
  if (session == nullptr || document == nullptr) return;
  if (!std::exchange(session->freshFindings, true)) {
    session->shown.clear();
    session->problem.reset();
  }
  session->shown.push_back(locate(finding, document->version,
                                  {*document->path, *document->map, texts, style_.diagnostics.encoding}));
  publish(*session, *document);
}

void Workspace::onProgress(const AnalysisRequest& request, const Progress& progress) {
  FileSession* session = sessionOf(request.key);
  if (session != nullptr && session->progress) session->progress->report(progress);
}

void Workspace::onDone(const AnalysisRequest& request, const Report& report, const FileTexts& texts,
                       const std::string& commandProblem) {
  FileSession* session = sessionOf(request.key);
  const Document* document = documents_.findKey(request.key);
  if (session == nullptr || document == nullptr) return;
  const LocateContext context{*document->path, *document->map, texts, style_.diagnostics.encoding};
  // A cancelled run says nothing about what it did not get to: what was shown before stays, marked as stale.
  const bool keepStale = report.verdict == Verdict::Cancelled && report.findings.empty();
  if (!keepStale) session->shown.clear();
  for (const Finding& finding : report.findings)
    session->shown.push_back(locate(finding, document->version, context));
  session->problem = problemOf(report, context);
  publish(*session, *document);

  session->timer.cancel();
  session->timerRound++;
  session->debounce.record(std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - session->started));
  if (session->progress) session->progress->end(verdictLine(report));
  session->progress.reset();
  say(lsp::MessageType::Log,
      baseName(*document->path) + ": " + verdictLine(report) + tookText(report.stats.wallSeconds) +
          (report.commandSource.empty() ? "" : "; compile command: " + report.commandSource));
  if (!commandProblem.empty()) warnOnce(commandProblem);
  session->lastReport = report;
}

void Workspace::publish(const FileSession& session, const Document& document) {
  client_.notify("textDocument/publishDiagnostics", diagnosticsOf(session, document, style_.diagnostics));
}

void Workspace::say(lsp::MessageType type, const std::string& message) {
  if (type == lsp::MessageType::Log)
    client_.notify("window/logMessage", lsp::LogMessageParams{type, message});
  else
    client_.notify("window/showMessage", lsp::ShowMessageParams{type, message});
}

void Workspace::warnOnce(const std::string& message) {
  if (warned_.insert(message).second) say(lsp::MessageType::Warning, "heddle: " + message);
}

}  // namespace heddle
