// What an edit does. A keystroke itself only moves what is shown: the text is changed, ranges are shifted,
// everything counts as stale. What the edit means (is it still the same program? which run is overtaken? what
// is to be published?) takes lexing the text, so it waits until the messages that came with the edit are
// answered, or until somebody asks: see settle().
#include "server/config/config_file.h"
#include "server/render/interleaving.h"
#include "server/source/moved_places.h"
#include "server/source/outline.h"
#include "server/state/workspace.h"

namespace heddle {
namespace {

/// For a text too large to compare at every keystroke the answer is no.
constexpr size_t kLargestCompared = 1U << 20;

/// A large text takes longer to lex, so that is left to longer pauses.
std::chrono::milliseconds settleAfter(size_t bytes) {
  return std::chrono::milliseconds(4 + bytes / (16U << 10));
}

}  // namespace

bool sameText(FileSession& session, const std::shared_ptr<const PositionMap>& before,
              const std::shared_ptr<const PositionMap>& after, const std::set<std::string>& reached) {
  if (before == nullptr || before == after || before->text() == after->text()) return before != nullptr;
  if (before->text().size() > kLargestCompared || after->text().size() > kLargestCompared) return false;
  const CText& afterTokens = session.tokensOf(after);
  const CText& beforeTokens = session.tokensOf(before);
  if (sameProgram(before->text(), beforeTokens, after->text(), afterTokens)) return true;
  return !reached.empty() &&
         sameProgram(before->text(), withoutUnreached(before->text(), beforeTokens, reached), after->text(),
                     withoutUnreached(after->text(), afterTokens, reached));
}

void Workspace::changed(const lsp::DidChangeTextDocumentParams& params) {
  if (down_) return;
  std::vector<AppliedChange> applied;
  const Document* document =
      documents_.change(params.textDocument, params.contentChanges, style_.diagnostics.encoding, applied);
  if (document == nullptr) return;
  FileSession* session = sessionOf(document->key);
  if (session == nullptr) {
    if (document->path && baseName(*document->path) == kConfigName) configChanged();
    if (document->path && isHeader(*document->path)) runOthers(document->key, Cause::Edit);
    return;
  }
  const bool first = !std::exchange(session->unsettled, true);
  if (first)
    for (LocatedFinding& located : session->shown) located.staleBefore = located.stale;
  for (const AppliedChange& change : applied) {
    std::erase_if(session->shown, [&](LocatedFinding& located) { return !shift(located, change); });
    shift(session->notes, change);
    shift(session->reads, change);
    if (!session->problem) continue;
    const std::optional<ByteRange> moved = shiftRange(session->problem->range, change);
    if (moved)
      session->problem->range = *moved;
    else
      session->problem.reset();
  }
  if (!first) return;
  // Nothing to compare: the run is of the past already.
  if (document->map->text().size() > kLargestCompared) forget(*session, document->key);
  session->settling.expires_after(settleAfter(document->map->text().size()));
  session->settling.async_wait(
      [weakSelf = std::weak_ptr(self_), key = document->key](boost::system::error_code error) {
        const auto self = weakSelf.lock();
        if (error || !self) return;
        FileSession* current = (*self)->sessionOf(key);
        const Document* latest = (*self)->documents_.findKey(key);
        if (current != nullptr && latest != nullptr) (*self)->settle(*current, *latest);
      });
}

void Workspace::settle(FileSession& session, const Document& document) {
  if (down_ || !std::exchange(session.unsettled, false)) return;
  session.settling.cancel();
  tellUsers(session, document);
  // An edit of comments or layout leaves the running exploration, and the last one's results, as true as they
  // were.
  const Running* run = session.running();
  if (run != nullptr && sameText(session, run->text, document.map)) {
    for (LocatedFinding& located : session.shown) {
      located.stale = located.staleBefore;
      if (!located.stale) located.version = document.version;
    }
    publish(session, document);
    return;
  }
  forget(session, document.key);
  if (keepResults(session, document)) {
    publish(session, document);
    return;
  }
  session.stale = session.lastReport.has_value();
  publish(session, document);
  if (session.settings.trigger == Trigger::OnIdle) runSoon(document, session);
  tellStatus(session, document, true);
}

/// Not tied to what becomes of the file's own run: an edit that is taken back needs none, and a run may have
/// begun with an edit that nobody had looked at.
void Workspace::tellUsers(FileSession& session, const Document& document) {
  if (!sameText(session, session.usersHave, document.map)) runUsersOf(*document.path);
  session.usersHave = document.map;
}

/// When the document is, but for comments, layout and functions that nothing reaches, the program of the last
/// report: moves its results there. Whether such a function still compiles shows the next run.
bool Workspace::keepResults(FileSession& session, const Document& document) {
  if (!session.explored || !session.lastReport) return false;
  const Verdict verdict = session.lastReport->verdict;
  if (verdict == Verdict::Cancelled || verdict == Verdict::Error) return false;
  const std::string& before = session.explored->text();
  std::set<std::string> reached;
  if (before.size() <= kLargestCompared && session.explored != document.map)
    reached = reachedNames(*session.explored, outlineOf(before, session.tokensOf(session.explored)),
                           *document.path, session.lastReport->reached);
  if (!sameText(session, session.explored, document.map, reached)) return false;
  Report report = *session.lastReport;
  MovedPlaces(*document.path, *session.explored, *document.map, reached).move(report);
  show(session, document, report, FileTexts(session.otherTexts));
  tellStatus(session, document, true);
  return true;
}

}  // namespace heddle
