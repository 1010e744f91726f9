#include "server/state/workspace.h"

#include <malloc.h>

#include <algorithm>

#include "protocol/uri.h"
#include "server/config/config_file.h"
#include "server/features/publish.h"
#include "server/features/status.h"
#include "server/render/finding_group.h"
#include "server/render/interleaving.h"
#include "server/render/text_report.h"
#include "server/source/moved_places.h"
#include "server/source/outline.h"

namespace heddle {

bool isHeader(const std::string& path) {
  return path.ends_with(".h") || path.ends_with(".inc") || path.ends_with(".def");
}

namespace {

constexpr int kBackgroundNiceness = 10;
// Somebody may wait for fixes, but nobody types into them.
constexpr int kFixNiceness = 5;
constexpr unsigned kMostFixThreads = 2;  // and one core stays free

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

/// From the explored text to the document as it is now.
MovedPlaces movesOf(const Running& run, const FileSession& session, const Document& document) {
  MovedPlaces moves(*document.path, *run.text, *document.map);
  moves.setBeyond(session.harness);
  return moves;
}

std::chrono::microseconds answeredAfter(const Running& run) {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                               run.started);
}

}  // namespace

Workspace::Workspace(boost::asio::io_context& loop, lsp::OutgoingCalls& client, Engine engine,
                     const WorkspaceOptions& options)
    : loop_(loop),
      client_(client),
      options_(options),
      self_(std::make_shared<Workspace*>(this)),
      pool_(options.threads),
      background_(1, kBackgroundNiceness),
      indexer_(1, kBackgroundNiceness),
      fixers_(std::clamp(options.threads - 1, 1U, kMostFixThreads), kFixNiceness),
      asked_(1, kFixNiceness),
      projects_(loop.get_executor(), indexer_,
                {options.cacheFolder, [this](const std::string& database,
                                             const std::string& log) { projectChanged(database, log); }}),
      fixes_(loop.get_executor(), fixers_, engine),
      native_(loop.get_executor(), asked_, engine),
      cover_(loop.get_executor(), asked_, engine),
      memory_(loop.get_executor(), {[this] { return anyRuns(); }, engine.residentMemory,
                                    [this] { return settings_.memoryLimit; }, [this] { stopForMemory(); }}),
      queue_(loop.get_executor(), pool_, std::move(engine), *this, std::chrono::seconds(1), &background_) {
  settings_.options.workers = std::max(1U, options.threads);
  settings_.options.diagnose = true;           // for the hover
  settings_.options.summarizeAccesses = true;  // for fixes
}

Workspace::~Workspace() = default;

void Workspace::configure(const lsp::json& value) {
  std::vector<std::string> problems;
  settings_ = readSettings(settings_, value, problems);
  for (const std::string& problem : problems) say(lsp::MessageType::Warning, "heddle: " + problem);
  if (down_) return;
  for (const auto& [key, session] : sessions_) {
    const Document* document = documents_.findKey(key);
    if (document == nullptr) continue;
    rereadConfig(*session, *document);
    askSettings(*document);
  }
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
  session->usersHave = session->onDisk = document.map;
  session->database = projects_.open(*document.path);
  readConfig(*session, document);
  applySuppressions(*session, document, session->baseline);
  if (session->settings.automatic()) runNow(document, *session, Cause::Asked);
  tellStatus(*session, document, true);
  askSettings(document);
}

/// With the places of the other findings of its bug.
static Finding withItsBug(Finding finding, const std::vector<Finding>& all) {
  std::vector<RelatedPlace> places;
  for (const Finding& other : all)
    if (other.place != finding.place && isSameBug(finding, other))
      places.push_back({other.place, "the same bug: " + other.message});
  finding.related.insert(finding.related.end(), places.begin(), places.end());
  return finding;
}

void Workspace::show(FileSession& session, const Document& document, const Report& report,
                     const FileTexts& texts) {
  const LocateContext context{*document.path, *document.map, texts, style_.diagnostics.encoding};
  session.shown.clear();
  for (const std::vector<Finding>* list : {&report.findings, &report.warnings})
    for (const Finding& finding : *list)
      session.shown.push_back(locate(withItsBug(finding, *list), document.version, context));
  session.problem = problemOf(report, context);
  const std::string& text = document.map->text();
  session.reads = session.settings.inlayHints ? locateReads(report, context) : std::vector<LocatedRead>();
  session.notes = notesOf(report, outlineOf(text, session.tokensOf(document.map)), context);
  session.lastReport = report;
  session.explored = document.map;
  session.otherTexts = texts;
  session.stale = false;
}

void Workspace::saved(const lsp::DocumentUri& uri) {
  const Document* document = documents_.find(uri);
  if (document == nullptr || down_) return;
  if (FileSession* session = settledKey(document->key).session) {
    session->onDisk = document->map;
    const Settings& settings = session->settings;
    if (!settings.automatic()) return;
    const bool smallBox = settings.budget.count() != 0 &&
                          (settings.saveBudget.count() == 0 || settings.saveBudget > settings.budget);
    Running* run = session->running();
    if (run != nullptr && sameText(*session, run->text, document->map))
      run->wantsLargerBox = smallBox;  // it goes on; should its box not do, a larger one follows
    else
      runNow(*document, *session, Cause::Thorough);
  }
  if (document->path && isHeader(*document->path)) runOthers(document->key, Cause::Asked);
}

void Workspace::closed(const lsp::DocumentUri& uri) {
  const Document* document = documents_.find(uri);
  if (document == nullptr) return;
  std::optional<std::string> givenUp;  // with edits that others were run with
  if (FileSession* session = sessionOf(document->key)) {
    forget(*session, document->key);
    lsp::PublishDiagnosticsParams nothing;
    nothing.uri = document->uri;
    client_.notify("textDocument/publishDiagnostics", nothing);
    if (style_.heddle.status) client_.notify("heddle/status", closedStatus(*document));
    if (!sameText(*session, session->onDisk, document->map)) givenUp.emplace(*document->path);
    sessions_.erase(document->key);
  }
  documents_.close(uri);
  if (givenUp && !down_) runUsersOf(*givenUp);
}

void Workspace::filesChanged(const lsp::DidChangeWatchedFilesParams& params) {
  if (down_) return;
  bool others = false;  // than sources
  for (const lsp::FileEvent& event : params.changes) {
    const std::optional<std::string> path = lsp::pathFromUri(event.uri);
    if (!path || !path->ends_with(".c"))
      others |= documents_.find(event.uri) == nullptr || !path || !isHeader(*path);
    else if (documents_.find(event.uri) == nullptr)
      runUsersOf(*path);  // of an open file the editor's text counts
  }
  projects_.refresh();
  if (others) configChanged();
}

void Workspace::cancelProgress(const lsp::ProgressToken& token) {
  for (const auto& [key, session] : sessions_) {
    const Running* run = session->running();
    if (run != nullptr && run->progress && run->progress->token() == token) queue_.stop(key);
    if (session->coverProgress && session->coverProgress->token() == token) cover_.stop(key);
  }
}

void Workspace::shutDown() {
  down_ = true;
  native_.stop();
  for (const auto& [key, session] : sessions_) forget(*session, key);
}

const std::string& Workspace::entryOf(const FileSession& session) const {
  return session.entry.empty() ? session.settings.options.entry : session.entry;
}

bool Workspace::anyRuns() const {
  return std::any_of(sessions_.begin(), sessions_.end(),
                     [](const auto& entry) { return entry.second->running() != nullptr; });
}

/// One of them is to blame, and which one cannot be told.
void Workspace::stopForMemory() {
  for (const auto& [key, session] : sessions_) {
    Running* run = session->running();
    if (run == nullptr) continue;
    run->isOverMemory = true;
    queue_.stop(key);
  }
}

FileSession* Workspace::sessionOf(const std::string& key) {
  const auto found = sessions_.find(key);
  return found == sessions_.end() ? nullptr : found->second.get();
}

Workspace::OpenFile Workspace::settled(const lsp::DocumentUri& uri) {
  return settledKey(DocumentStore::keyOf(uri));
}

Workspace::OpenFile Workspace::settledKey(const std::string& key) {
  const Document* document = documents_.findKey(key);
  FileSession* session = document == nullptr ? nullptr : sessionOf(key);
  if (session == nullptr) return {};
  settle(*session, *document);
  return {document, session};
}

/// Whatever runs or waits to run for the file is of the past.
void Workspace::forget(FileSession& session, const std::string& key) {
  const auto now = std::chrono::steady_clock::now();
  if (const Running* run = session.running()) session.debounce.overtaken(now, now - run->started);
  session.timer.cancel();
  session.timerRound++;
  session.run = NotRunning{};
  session.resting.cancel();
  session.restingOn.clear();
  queue_.drop(key);
  fixes_.drop(key);
  cover_.drop(key);
}

void Workspace::runSoon(const Document& document, FileSession& session) {
  session.run = AwaitingPause{};
  session.timer.expires_after(session.debounce.delay(std::chrono::steady_clock::now()));
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
  const auto started = std::chrono::steady_clock::now();
  if (cause == Cause::Asked) session.orders.reset();
  if (cause == Cause::Asked) session.safeRun.reset();  // other files of the program may have another text

  Subject subject = subjectOf(document, session);
  session.harness = subject.harness;
  session.program = std::move(subject.program);
  if (subject.waits) {
    session.run = AwaitingProject{};
    queue_.drop(document.key);
    tellStatus(session, document, true);
    return;
  }

  Running& run = session.run.emplace<Running>();
  run.text = document.map;
  run.started = started;
  AnalysisRequest request;
  request.key = document.key;
  request.version = document.version;
  request.snapshot = std::move(subject.snapshot);
  request.textFromDisk = subject.textFromDisk;
  request.options = std::move(subject.options);
  request.background = cause == Cause::Thorough;
  // The editor needs the rest to type in.
  if (cause == Cause::Edit) request.options.workers = 1;
  for (const LocatedFinding& located : session.shown)
    if (!isWarning(located.finding)) request.earlier.push_back(located.finding);
  request.budget = cause == Cause::Thorough ? session.settings.saveBudget : session.settings.budget;

  if (style_.progress) {
    run.progress =
        std::make_unique<RunProgress>(client_, lsp::ProgressToken{"heddle/" + std::to_string(nextToken_++)},
                                      "Heddle: " + baseName(*document.path));
    if (cause != Cause::Edit) {
      run.progress->show();
    } else {
      session.timer.expires_after(options_.progressAfter);
      session.timer.async_wait([weakSelf = std::weak_ptr(self_), key = document.key,
                                round = session.timerRound](boost::system::error_code error) {
        const auto self = weakSelf.lock();
        if (error || !self) return;
        FileSession* current = (*self)->sessionOf(key);
        if (current == nullptr || current->timerRound != round) return;
        const Running* shown = current->running();
        if (shown != nullptr && shown->progress) shown->progress->show();
      });
    }
  }
  queue_.submit(std::move(request));
  memory_.begin();
  tellStatus(session, document, true);
}

void Workspace::runOthers(const std::string& key, Cause cause) {
  if (down_) return;
  for (const auto& [otherKey, session] : sessions_) {
    const Document* document = documents_.findKey(otherKey);
    if (otherKey == key || document == nullptr || !session->settings.automatic()) continue;
    settle(*session, *document);
    if (cause == Cause::Edit && session->settings.trigger != Trigger::OnIdle) continue;
    if (cause == Cause::Asked) {
      runNow(*document, *session, cause);
      continue;
    }
    forget(*session, otherKey);
    for (LocatedFinding& located : session->shown) located.stale = true;
    session->stale = session->lastReport.has_value();
    session->explored.reset();  // what it includes has changed
    runSoon(*document, *session);
  }
}

void Workspace::onStarted(const AnalysisRequest&) {}

void Workspace::onFinding(const AnalysisRequest& request, const Finding& finding, const FileTexts& texts) {
  const auto [document, session] = settledKey(request.key);
  Running* run = session == nullptr ? nullptr : session->running();
  if (run == nullptr) return;
  const bool first = !std::exchange(run->hasFindings, true);
  if (first) {
    session->debounce.record(answeredAfter(*run));
    session->shown.clear();
    session->notes.clear();
    session->problem.reset();
  }
  Finding moved = finding;
  movesOf(*run, *session, *document).move(moved);
  // What an earlier schedule has confirmed is found again by the exploration.
  std::erase_if(session->shown, [&](const LocatedFinding& located) {
    return located.finding.id == moved.id && located.finding.place == moved.place;
  });
  session->shown.push_back(locate(moved, document->version,
                                  {*document->path, *document->map, texts, style_.diagnostics.encoding}));
  run->isExploring = true;
  if (first) {
    publish(*session, *document);
    tellStatus(*session, *document, true);
  } else {
    publishSoon(*session, *document);
  }
}

void Workspace::onProgress(const AnalysisRequest& request, const Progress& progress) {
  const auto [document, session] = settledKey(request.key);
  Running* run = session == nullptr ? nullptr : session->running();
  if (run == nullptr) return;
  if (run->progress) run->progress->report(progress);
  run->isExploring = true;
  run->counts = progress;
  tellStatus(*session, *document, false);
}

void Workspace::onDone(const AnalysisRequest& request, const Report& report, const FileTexts& texts,
                       const std::string& commandProblem) {
  const auto [document, session] = settledKey(request.key);
  Running* run = session == nullptr ? nullptr : session->running();
  if (run == nullptr) return;
  Report moved = report;
  movesOf(*run, *session, *document).move(moved);
  const Running ended = std::move(*run);
  session->run = NotRunning{};
  if (ended.isOverMemory) {
    if (moved.verdict == Verdict::Cancelled) moved.verdict = Verdict::Incomplete;
    for (auto& [name, verdict] : moved.properties)
      if (verdict == Verdict::Cancelled) verdict = Verdict::Incomplete;
    moved.problem = "ended at the memory limit of " + std::to_string(settings_.memoryLimit) + " MB";
    malloc_trim(0);
  }
  session->reported = ended.text == document->map ? document->map : nullptr;
  // A cancelled run says nothing about what it did not get to: what was shown before stays, marked as stale.
  const bool keepStale = moved.verdict == Verdict::Cancelled && moved.findings.empty();
  if (keepStale) {
    session->lastReport = moved;
    session->explored.reset();
  } else {
    show(*session, *document, moved, texts);
  }
  session->lastBudget = request.budget;
  publish(*session, *document);

  session->timer.cancel();
  session->timerRound++;
  if (!ended.hasFindings) session->debounce.record(answeredAfter(ended));
  if (ended.progress) ended.progress->end(verdictLine(moved));
  say(lsp::MessageType::Log,
      baseName(*document->path) + ": " + verdictLine(moved) + tookText(report.stats.wallSeconds) +
          (report.commandSource.empty() ? "" : "; compile command: " + report.commandSource));
  if (!commandProblem.empty()) warnOnce(commandProblem);
  tellStatus(*session, *document, true);
  refreshLenses();
  if (ended.wantsLargerBox && report.verdict == Verdict::Incomplete)
    runNow(*document, *session, Cause::Thorough);
}

}  // namespace heddle
