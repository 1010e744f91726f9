#include "server/features/native_action.h"

#include "server/features/code_lens.h"
#include "server/render/text_report.h"

namespace heddle {
namespace {

lsp::CodeAction commandAction(const std::string& title, const char* name, lsp::json argument) {
  lsp::CodeAction action;
  action.title = "Heddle: " + title;
  action.kind = lsp::code_action_kind::refactor;  // no fix: "fix all" must not build anything
  action.isPreferred = false;
  action.command = lsp::Command{action.title, name, std::vector<lsp::json>{std::move(argument)}};
  return action;
}

}  // namespace

std::vector<lsp::CodeAction> nativeActionsAt(const FileSession& session, const Document& document,
                                             const lsp::CodeActionParams& params, PositionEncoding encoding,
                                             bool canReproduce, bool canConstrain) {
  std::vector<lsp::CodeAction> actions;
  if (!lsp::wantsKind(params.context, lsp::code_action_kind::refactor)) return actions;
  const PositionMap& map = *document.map;
  const size_t begin = map.offsetOf(fromLsp(params.range.start), encoding);
  const size_t end = map.offsetOf(fromLsp(params.range.end), encoding);
  bool any = false;
  for (const LocatedFinding& located : session.shown) {
    if (located.stale || located.suppressed || isWarning(located.finding) || located.range.end < begin ||
        located.range.begin > end)
      continue;
    any = true;
    if (canReproduce && !located.finding.schedule.empty())
      actions.push_back(commandAction("build a reproducer of: " + located.finding.message,
                                      command::kReproduce,
                                      {{"uri", document.uri}, {"finding", located.finding.id}}));
  }
  if (any && canConstrain && safeRunText(session, document).empty())
    actions.push_back(commandAction("find constraints under which this program is safe to run",
                                    command::kConstrain, {{"uri", document.uri}}));
  if (any && canConstrain && !safeRunText(session, document).empty())
    actions.push_back(commandAction("build the program that is " + safeRunText(session, document),
                                    command::kBuild, {{"uri", document.uri}}));
  return actions;
}

std::string safeRunText(const FileSession& session, const Document& document) {
  if (!session.safeRun || session.safeRun->map != document.map) return {};
  const size_t constraints = session.safeRun->prefix.constraints.size();
  return constraints == 0 ? "safe to run without constraints"
                          : "safe to run under " + count(constraints, "constraint");
}

}  // namespace heddle
