#include "server/features/suppress_action.h"

#include <algorithm>

namespace heddle {
std::vector<lsp::CodeAction> suppressActionsAt(const FileSession& session, const Document& document,
                                               const lsp::CodeActionParams& params,
                                               const DiagnosticStyle& style, bool documentChanges) {
  std::vector<lsp::CodeAction> actions;
  if (!lsp::wantsKind(params.context, lsp::code_action_kind::quickFix)) return actions;
  const PositionMap& map = *document.map;
  const size_t begin = map.offsetOf(fromLsp(params.range.start), style.encoding);
  const size_t end = map.offsetOf(fromLsp(params.range.end), style.encoding);
  for (const LocatedFinding& located : session.shown) {
    if (located.stale || located.suppressed || located.range.end < begin || located.range.begin > end)
      continue;
    const uint32_t line = map.positionOf(located.range.begin, PositionEncoding::Utf8).line;
    const std::string_view text = map.line(line);
    const std::string indent(text.substr(0, std::min(text.find_first_not_of(" \t"), text.size())));
    const lsp::TextEdit edit{{{line, 0}, {line, 0}},
                             indent + "// heddle: ignore[" + toString(located.finding.kind) + "] \n",
                             std::nullopt};
    lsp::CodeAction action;
    action.title =
        std::string("Suppress this ") + toString(located.finding.kind) + " with a comment (add your reason)";
    action.kind = lsp::code_action_kind::quickFix;
    action.diagnostics = std::vector{toDiagnostic(located, document.uri, map, style)};
    action.isPreferred = false;
    action.edit.emplace();
    if (documentChanges)
      action.edit->documentChanges =
          std::vector<lsp::TextDocumentEdit>{{{document.uri, document.version}, {edit}}};
    else
      action.edit->changes = std::map<lsp::DocumentUri, std::vector<lsp::TextEdit>>{{document.uri, {edit}}};
    actions.push_back(std::move(action));
  }
  return actions;
}

}  // namespace heddle
