// What the workspace answers: pure views of what is known now.
#include "server/features/code_lens.h"
#include "server/features/hover.h"
#include "server/features/interleaving_view.h"
#include "server/features/keep_action.h"
#include "server/features/look_action.h"
#include "server/features/native_action.h"
#include "server/features/publish.h"
#include "server/features/shared_data.h"
#include "server/features/suppress_action.h"
#include "server/source/harness.h"
#include "server/state/workspace.h"

namespace heddle {
namespace {

using lsp::json;

lsp::ResponseError invalid(const std::string& what) {
  return {lsp::ErrorCode::InvalidParams, what, {}};
}

}  // namespace

std::optional<lsp::Hover> Workspace::hover(const lsp::HoverParams& params) {
  const auto [document, session] = settled(params.textDocument.uri);
  if (session == nullptr) return std::nullopt;
  const size_t offset = document->map->offsetOf(fromLsp(params.position), style_.diagnostics.encoding);
  for (const LocatedFinding& located : session->shown) {
    if (located.stale || offset < located.range.begin || offset > located.range.end) continue;
    restOn(*session, *document, located.finding.id);
    break;
  }
  const HoverStyle hoverStyle{style_.diagnostics.encoding, style_.markdown};
  if (auto hover =
          hoverAt(*session, *document->map, params.position, replayOf(*document, *session), hoverStyle))
    return hover;
  const auto data = sharedDataAt({*document, *session, style_.diagnostics.encoding}, params.position);
  return data ? std::optional(hoverOf(*data, *document->map, hoverStyle)) : std::nullopt;
}

std::vector<lsp::CodeAction> Workspace::codeActions(const lsp::CodeActionParams& params) {
  const auto [document, session] = settled(params.textDocument.uri);
  if (session == nullptr) return {};
  std::vector<lsp::CodeAction> actions =
      suppressActionsAt(*session, *document, params, style_.diagnostics, style_.documentChanges);
  for (lsp::CodeAction& action :
       lookActionsAt(*session, *document, params, style_.diagnostics.encoding, style_.heddle))
    actions.push_back(std::move(action));
  for (lsp::CodeAction& action : nativeActionsAt(*session, *document, params, style_.diagnostics.encoding,
                                                 native_.canReproduce(), native_.canConstrain()))
    actions.push_back(std::move(action));
  for (lsp::CodeAction& action : keepActionsAt(*session, *document, params, entryOf(*session),
                                               style_.diagnostics.encoding, style_.documentChanges))
    actions.push_back(std::move(action));
  return actions;
}

std::vector<lsp::CodeLens> Workspace::codeLenses(const lsp::TextDocumentIdentifier& id) {
  const auto [document, session] = settled(id.uri);
  if (session == nullptr) return {};
  return codeLensesOf(*session, *document, entryOf(*session),
                      {style_.diagnostics.encoding, style_.heddle, cover_.available()});
}

std::optional<FileView> Workspace::viewOf(const lsp::DocumentUri& uri) {
  const auto [document, session] = settled(uri);
  if (session == nullptr) return std::nullopt;
  return FileView{*document, *session, style_.diagnostics.encoding};
}

lsp::DocumentDiagnosticReport Workspace::diagnostics(const lsp::DocumentDiagnosticParams& params) {
  lsp::DocumentDiagnosticReport report;
  report.items.emplace();
  const auto [document, session] = settled(params.textDocument.uri);
  if (session == nullptr) return report;
  report.resultId = std::to_string(document->version) + "." + std::to_string(session->published);
  if (params.previousResultId == report.resultId) {
    report.kind = "unchanged";
    report.items.reset();
  } else {
    report.items = diagnosticsOf(*session, *document, style_.diagnostics).diagnostics;
  }
  return report;
}

std::optional<lsp::Interleaving> Workspace::interleaving(const lsp::InterleavingParams& params) {
  const auto [document, session] = settled(params.textDocument.uri);
  if (session == nullptr) return std::nullopt;
  for (const LocatedFinding& located : session->shown) {
    if (params.finding && located.finding.id != *params.finding) continue;
    return interleavingOf(located, document->uri, *document->map, replayOf(*document, *session),
                          style_.diagnostics.encoding);
  }
  return std::nullopt;
}

bool Workspace::answersLater(const std::string& name) {
  return name == command::kReproduce || name == command::kConstrain || name == command::kBuild ||
         name == command::kRelax || name == command::kApplyOrders || name == command::kCover;
}

void Workspace::executeLater(const lsp::ExecuteCommandParams& params, lsp::Reply<json> reply) {
  const json argument = params.arguments && !params.arguments->empty() ? params.arguments->front() : json();
  const std::string uri = lsp::textMember(argument, "uri").value_or("");
  if (uri.empty()) return reply.error(invalid("the command '" + params.command + "' takes {\"uri\": …}"));
  const auto [document, session] = settled(uri);
  if (session == nullptr || down_ || !document->path)
    return reply.error(invalid("not an open C file: " + uri));
  const FileCommand asked{params.command, argument, *document, *session};
  if (asked.name == command::kCover) return executeCover(asked, std::move(reply));
  if (asked.name == command::kRelax || asked.name == command::kApplyOrders)
    return executeOrders(asked, std::move(reply));
  executeNative(asked, std::move(reply));
}

std::variant<json, lsp::ResponseError> Workspace::execute(const lsp::ExecuteCommandParams& params) {
  const json argument = params.arguments && !params.arguments->empty() ? params.arguments->front() : json();
  const std::optional<std::string> uri = lsp::textMember(argument, "uri");
  if (!uri) return invalid("the command '" + params.command + "' takes {\"uri\": …}");
  if (params.command == command::kInterleaving) {
    const auto found = interleaving({{*uri}, lsp::textMember(argument, "finding")});
    return found ? json(*found) : json();
  }
  if (params.command == command::kShow) {
    const auto found = interleaving({{*uri}, lsp::textMember(argument, "finding")});
    if (!found) return invalid("there is no such finding in " + *uri);
    showInterleaving(*found);
    return json();
  }
  const auto [document, session] = settled(*uri);
  if (session == nullptr || down_) return invalid("not an open C file: " + *uri);
  if (params.command == command::kHarness) {
    const std::string& text = document->map->text();
    const Outline outline = outlineOf(text, lexC(text));
    const OutlineFunction* function = outline.find(lsp::textMember(argument, "function").value_or(""));
    if (function == nullptr) return invalid("the command takes the name of a function of the file");
    const uint32_t line = document->map->positionOf(function->nameRange.begin, PositionEncoding::Utf8).line;
    lsp::ApplyWorkspaceEditParams edit;
    edit.label = "Heddle: harness for " + function->name;
    const lsp::TextEdit insert{{{line, 0}, {line, 0}}, harnessComment(*function) + "\n", std::nullopt};
    edit.edit.changes = std::map<lsp::DocumentUri, std::vector<lsp::TextEdit>>{{document->uri, {insert}}};
    client_.request<json>("workspace/applyEdit", edit, {});
  } else if (params.command == command::kVerify) {
    session->entry = lsp::textMember(argument, "function").value_or("");
    runNow(*document, *session, Cause::Thorough);
  } else if (params.command == command::kStop) {
    queue_.stop(document->key);
    cover_.stop(document->key);
  } else if (params.command == command::kClear) {
    forget(*session, document->key);
    session->shown.clear();
    session->notes.clear();
    session->reads.clear();
    session->problem.reset();
    session->lastReport.reset();
    session->explored.reset();
    session->stale = false;
    publish(*session, *document);
    tellStatus(*session, *document, true);
    refreshLenses();
  } else {
    return invalid("unknown command '" + params.command + "'");
  }
  return json();
}

}  // namespace heddle
