// The workspace's side of quick fixes: which finding is meant, when to look for fixes, and what to say when
// one cannot be applied.
#include <algorithm>

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

/// The reason that says most: what was written and then rejected, before what could not be written.
std::string whyNone(const Fixes& fixes) {
  if (!fixes.stillThere) return "it is not found any more";
  for (const RejectedPatch& rejected : fixes.result.rejected)
    if (!rejected.title.empty()) return "tried to " + rejected.title + ", but " + rejected.reason;
  if (!fixes.result.rejected.empty()) return fixes.result.rejected.front().reason;
  return fixes.result.outOfBudget ? "the budget ended first" : "no candidate fits it";
}

}  // namespace

FixDesk::Request Workspace::fixRequest(const Document& document, const std::string& finding) const {
  FixDesk::Request request;
  request.key = document.key;
  request.version = document.version;
  request.snapshot.path = *document.path;
  request.snapshot.text = document.map->text();
  for (const auto& [key, other] : documents_.all())
    if (other.path && key != document.key) request.snapshot.overlays[*other.path] = other.map->text();
  request.finding = finding;
  request.options = settings_.options;
  if (const auto session = sessions_.find(document.key); session != sessions_.end())
    request.options.entry = entryOf(*session->second);
  request.budget = settings_.budget;
  return request;
}

void Workspace::codeActions(const lsp::CodeActionParams& params,
                            lsp::Reply<std::vector<lsp::CodeAction>> reply) {
  const auto [document, session] = settled(params.textDocument.uri);
  const LocatedFinding* meant = nullptr;
  if (session != nullptr && wantsQuickFixes(params.context))
    for (const LocatedFinding& located : session->shown) {
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
  if (!known && style_.fixes.resolve && params.context.triggerKind == lsp::CodeActionTriggerKind::Automatic)
    return reply(
        withOthers({fixLater(claim, ticket, diagnostics)}));  // the cursor only passes by: no work yet

  auto shared = std::make_shared<lsp::Reply<std::vector<lsp::CodeAction>>>(std::move(reply));
  fixes_.start(
      fixRequest(*document, meant->finding.id),
      [this, shared, ticket, claim, diagnostics, withOthers](const std::shared_ptr<const Fixes>& fixes) {
        if (!fixes) return shared->cancelled();
        std::vector<lsp::CodeAction> actions = fixActions(fixes->result, ticket, diagnostics, style_.fixes);
        if (!style_.fixes.resolve)
          for (lsp::CodeAction& action : actions) fillEdit(action, *fixes);
        if (actions.empty()) {
          if (style_.fixes.disabled)
            actions.push_back(noFix(claim, whyNone(*fixes), diagnostics));
          else
            say(lsp::MessageType::Info, "heddle: no verified fix for '" + claim + "': " + whyNone(*fixes));
        }
        (*shared)(withOthers(std::move(actions)));
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
  const Document* document = ticket ? documents_.find(ticket->uri) : nullptr;
  if (document == nullptr || document->version != ticket->version) {
    const char* problem = "the document has changed since this fix was verified; ask for fixes again";
    say(lsp::MessageType::Warning, std::string("heddle: ") + problem);
    return reply.error(lsp::ErrorCode::ContentModified, problem);
  }
  auto shared = std::make_shared<lsp::Reply<lsp::CodeAction>>(std::move(reply));
  fixes_.start(fixRequest(*document, ticket->finding),
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
