#include "server/features/order_lens.h"

#include "analysis/repair/memory_orders.h"
#include "analysis/repair/text_edits.h"

namespace heddle {

bool ordersCanBeAsked(const FileSession& session, const Document& document) {
  if (session.settings.options.memoryModel == MemoryModelKind::Sc) return false;  // they make no difference
  if (!session.lastReport || session.stale || session.reported != document.map) return false;
  if (session.orders && session.orders->map == document.map) return false;
  const Report& report = *session.lastReport;
  const std::string& entry = session.program.entry;
  const bool isOwn = report.harness.empty() && (entry.empty() || entry == document.path);
  return isOwn && report.verdict == Verdict::Verified && !namedOrders(document.map->text()).empty();
}

lsp::ApplyWorkspaceEditParams editOfOrders(const FoundOrders& orders, const Document& document,
                                           PositionEncoding encoding, bool documentChanges) {
  const PositionMap& map = *document.map;
  std::vector<lsp::TextEdit> changes;
  for (const TextEditAt& edit : editsBetween("", map.text(), orders.orders.text)) {
    const size_t begin = map.offsetOfPlace(edit.startLine, edit.startColumn);
    const size_t end =
        edit.endLine > map.lineCount() ? map.text().size() : map.offsetOfPlace(edit.endLine, edit.endColumn);
    changes.push_back({toLsp(map, {begin, end}, encoding), edit.newText, std::nullopt});
  }
  lsp::ApplyWorkspaceEditParams params;
  params.label = "Heddle: weaker memory orders";
  if (documentChanges)
    params.edit.documentChanges =
        std::vector<lsp::TextDocumentEdit>{{{document.uri, document.version}, std::move(changes)}};
  else
    params.edit.changes =
        std::map<lsp::DocumentUri, std::vector<lsp::TextEdit>>{{document.uri, std::move(changes)}};
  return params;
}

}  // namespace heddle
