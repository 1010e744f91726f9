#include "server/features/look_action.h"

#include "server/features/code_lens.h"

namespace heddle {

std::vector<lsp::CodeAction> lookActionsAt(const FileSession& session, const Document& document,
                                           const lsp::CodeActionParams& params, PositionEncoding encoding,
                                           const lsp::HeddleClient& client) {
  std::vector<lsp::CodeAction> actions;
  if (!lsp::wantsKind(params.context, lsp::code_action_kind::refactor)) return actions;
  const PositionMap& map = *document.map;
  const size_t begin = map.offsetOf(fromLsp(params.range.start), encoding);
  const size_t end = map.offsetOf(fromLsp(params.range.end), encoding);
  for (const LocatedFinding& located : session.shown) {
    if (located.suppressed || located.finding.steps.empty() || located.range.end < begin ||
        located.range.begin > end)
      continue;
    const auto add = [&](const std::string& title, const char* name) {
      lsp::CodeAction action;
      action.title = "Heddle: " + title + ": " + located.finding.message;
      action.kind = lsp::code_action_kind::refactor;  // no fix: nothing is mended
      action.isPreferred = false;
      action.command =
          lsp::Command{action.title, name,
                       std::vector<lsp::json>{{{"uri", document.uri}, {"finding", located.finding.id}}}};
      actions.push_back(std::move(action));
    };
    add("show the interleaving of", client.interleavingPanel ? command::kShowPanel : command::kShow);
    if (client.debugger && !located.finding.schedule.empty()) add("debug", command::kDebug);
  }
  return actions;
}

}  // namespace heddle
