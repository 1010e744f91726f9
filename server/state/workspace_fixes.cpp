// The workspace's side of quick fixes: which finding is meant, when to look for fixes, and what to say when
// one cannot be applied.
#include <algorithm>
#include <utility>

#include "server/features/code_action.h"
#include "server/features/hover.h"
#include "server/render/interleaving.h"
#include "server/state/workspace.h"

namespace heddle {
namespace {

bool wantsQuickFixes(const lsp::CodeActionContext& context) {
  if (!context.only) return true;
  return std::any_of(context.only->begin(), context.only->end(), [](const std::string& kind) {
    return kind.empty() || kind == lsp::code_action_kind::quickFix;
  });
}

bool meets(const lsp::Range& a, const lsp::Range& b) {
  return a.start.line <= b.end.line && b.start.line <= a.end.line;
}

/// The reasons that say most: of what was written and then rejected, and of what could not be written.
std::string whyNone(const Fixes& fixes) {
  if (!fixes.stillThere) return "it is not found any more";
  if (fixes.failsAlways)
    return "it fails on every schedule with its inputs, so no synchronization can repair it";
  const RejectedPatch* tried = nullptr;
  const RejectedPatch* unwritten = nullptr;
  for (const RejectedPatch& rejected : fixes.result.rejected) {
    const RejectedPatch*& first = rejected.title.empty() ? unwritten : tried;
    if (first == nullptr) first = &rejected;
  }
  if (tried != nullptr)
    return "tried to " + tried->title + ", but " + tried->reason +
           (unwritten == nullptr ? "" : "; another patch cannot be written: " + unwritten->reason);
  if (unwritten != nullptr) return unwritten->reason;
  return fixes.result.outOfBudget ? "the budget ended first" : "no candidate fits it";
}

}  // namespace

FixDesk::Request Workspace::fixRequest(const Document& document, FileSession& session,
                                       const std::string& finding) const {
  Subject subject = subjectOf(document, session);
  FixDesk::Request request;
  request.key = document.key;
  request.version = document.version;
  request.snapshot = std::move(subject.snapshot);
  request.textFromDisk = subject.textFromDisk;
  request.added = subject.added;
  request.finding = finding;
  if (session.lastReport && session.reported == document.map) request.report = session.lastReport;
  request.options = std::move(subject.options);
  request.options.workers = 1;  // the editor needs the rest
  request.budget = session.settings.budget;
  return request;
}

void Workspace::codeActions(const lsp::CodeActionParams& params,
                            lsp::Reply<std::vector<lsp::CodeAction>> reply) {
  const auto [document, session] = settled(params.textDocument.uri);
  const LocatedFinding* meant = nullptr;
  if (session != nullptr && wantsQuickFixes(params.context))
    for (const LocatedFinding& located : session->shown) {
      if (isWarning(located.finding)) continue;
      const bool inRange =
          meets(toLsp(*document->map, located.range, style_.diagnostics.encoding), params.range);
      const bool named =
          std::any_of(params.context.diagnostics.begin(), params.context.diagnostics.end(),
                      [&](const lsp::Diagnostic& diagnostic) {
                        return diagnostic.data.is_object() &&
                               diagnostic.data.value("finding", lsp::json()) == located.finding.id;
                      });
      if ((named || inRange) && (meant == nullptr || (named && !located.stale))) meant = &located;
      if (named) break;
    }
  std::vector<lsp::CodeAction> others = codeActions(params);
  if (meant == nullptr || !fixes_.available()) return reply(others);
  const auto withOthers = [others](std::vector<lsp::CodeAction> actions) {
    actions.insert(actions.end(), others.begin(), others.end());
    return actions;
  };

  const std::string claim = meant->finding.message;
  std::vector<lsp::Diagnostic> diagnostics;
  for (const lsp::Diagnostic& diagnostic : params.context.diagnostics)
    if (diagnostic.source == "heddle" && diagnostic.message.starts_with(claim))
      diagnostics.push_back(diagnostic);
  if (meant->stale) {
    if (!style_.fixes.disabled) return reply(others);
    return reply(withOthers({noFix(
        claim, "the text has changed since this was found; it is being explored again", diagnostics)}));
  }
  const FixTicket ticket{document->uri, document->version, meant->finding.id, -1};
  const auto known = fixes_.find(document->key, document->version, meant->finding.id);
  if (!known && style_.fixes.resolve && params.context.triggerKind == lsp::CodeActionTriggerKind::Automatic) {
    restOn(*session, *document, meant->finding.id);  // the cursor may only pass by: no work yet
    return reply(withOthers({fixLater(claim, ticket, diagnostics)}));
  }

  auto answer = std::make_shared<std::optional<lsp::Reply<std::vector<lsp::CodeAction>>>>(std::move(reply));
  fixes_.start(
      fixRequest(*document, *session, meant->finding.id),
      [this, answer, ticket, claim, diagnostics, withOthers](const std::shared_ptr<const Fixes>& fixes) {
        if (!*answer) return;  // the menu is on the screen already
        auto answered = *std::exchange(*answer, std::nullopt);
        if (!fixes) return answered.cancelled();
        std::vector<lsp::CodeAction> actions = fixActions(fixes->result, ticket, diagnostics, style_.fixes);
        if (!style_.fixes.resolve)
          for (lsp::CodeAction& action : actions) fillEdit(action, *fixes);
        if (actions.empty()) {
          if (style_.fixes.disabled)
            actions.push_back(noFix(claim, whyNone(*fixes), diagnostics));
          else
            say(lsp::MessageType::Info, "heddle: no verified fix for '" + claim + "': " + whyNone(*fixes));
        }
        answered(withOthers(std::move(actions)));
      });
  if (!*answer || !style_.fixes.resolve) return;
  // A menu opens at once: what is not found by then is found when it is chosen, or for the next menu.
  auto patience = std::make_shared<boost::asio::steady_timer>(loop_, options_.menuAfter);
  patience->async_wait([patience, answer, later = withOthers({fixLater(claim, ticket, diagnostics)})](
                           boost::system::error_code error) {
    if (error || !*answer) return;
    auto answered = *std::exchange(*answer, std::nullopt);
    answered(later);
  });
}

void Workspace::restOn(FileSession& session, const Document& document, const std::string& finding) {
  if (!fixes_.available() || session.restingOn == finding) return;
  session.restingOn = finding;
  session.resting.expires_after(options_.fixesAfter);
  session.resting.async_wait([weakSelf = std::weak_ptr(self_), key = document.key, finding,
                              map = document.map](boost::system::error_code error) {
    const auto self = weakSelf.lock();
    if (error || !self) return;
    const auto [latest, current] = (*self)->settledKey(key);
    if (current == nullptr) return;
    current->restingOn.clear();
    // Only of a text that stays as it is, and from the report on the screen.
    if (latest->map == map && current->reported == map && current->running() == nullptr)
      (*self)->fixes_.start((*self)->fixRequest(*latest, *current, finding),
                            [](const std::shared_ptr<const Fixes>&) {});
  });
}

void Workspace::fillEdit(lsp::CodeAction& action, const Fixes& fixes) {
  const std::optional<FixTicket> ticket = fixTicketOf(action.data);
  if (!ticket || ticket->patch < 0 || static_cast<size_t>(ticket->patch) >= fixes.result.patches.size())
    return;
  const EditOrProblem found = fixEdit(
      fixes.result.patches[static_cast<size_t>(ticket->patch)],
      [&](const std::string& path) {
        if (path == fixes.snapshot.path) return fixes.snapshot.text;
        const auto overlay = fixes.snapshot.overlays.find(path);
        return overlay != fixes.snapshot.overlays.end() ? overlay->second : fixes.result.before.at(path);
      },
      documents_, style_.fixes);
  if (found.edit)
    action.edit = found.edit;
  else
    say(lsp::MessageType::Warning, "heddle: " + found.problem);
}

void Workspace::resolveAction(const lsp::CodeAction& action, lsp::Reply<lsp::CodeAction> reply) {
  const std::optional<FixTicket> ticket = fixTicketOf(action.data);
  const auto [document, session] = ticket ? settled(ticket->uri) : OpenFile();
  if (session == nullptr || document->version != ticket->version) {
    const char* problem = "the document has changed since this fix was verified; ask for fixes again";
    say(lsp::MessageType::Warning, std::string("heddle: ") + problem);
    return reply.error(lsp::ErrorCode::ContentModified, problem);
  }
  auto shared = std::make_shared<lsp::Reply<lsp::CodeAction>>(std::move(reply));
  fixes_.start(fixRequest(*document, *session, ticket->finding),
               [this, shared, action, ticket = *ticket](const std::shared_ptr<const Fixes>& fixes) {
                 if (!fixes) return shared->cancelled();
                 lsp::CodeAction resolved = action;
                 FixTicket chosen = ticket;
                 const std::vector<lsp::CodeAction> actions =
                     fixActions(fixes->result, ticket, {}, style_.fixes);
                 if (chosen.patch < 0 && !actions.empty()) {
                   chosen = *fixTicketOf(actions.front().data);
                   resolved.data = toJson(chosen);
                 }
                 if (chosen.patch < 0)
                   say(lsp::MessageType::Info, "heddle: no verified fix was found: " + whyNone(*fixes));
                 else
                   fillEdit(resolved, *fixes);
                 (*shared)(resolved);
               });
}

}  // namespace heddle
