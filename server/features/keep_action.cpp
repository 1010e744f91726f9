#include "server/features/keep_action.h"

#include <algorithm>
#include <set>

#include "server/source/harness.h"
#include "server/source/outline.h"

namespace heddle {
namespace {

lsp::CodeAction insertion(const std::string& title, const lsp::Position& at, const std::string& text,
                          const Document& document, bool documentChanges) {
  lsp::CodeAction action;
  action.title = title;
  action.kind = lsp::code_action_kind::quickFix;
  action.edit.emplace();
  const lsp::TextEdit edit{{at, at}, text, std::nullopt};
  if (documentChanges)
    action.edit->documentChanges =
        std::vector<lsp::TextDocumentEdit>{{{document.uri, document.version}, {edit}}};
  else
    action.edit->changes = std::map<lsp::DocumentUri, std::vector<lsp::TextEdit>>{{document.uri, {edit}}};
  return action;
}

/// "queue_push" of "queue_push || queue_pop".
std::string firstOf(const std::string& title) {
  return title.substr(0, title.find_first_of(" ,"));
}

std::string guarded(const UnknownCall& call) {
  return "\n#ifdef __HEDDLE__  // for verification only: what '" + call.name + "' does\n" + call.stub +
         (call.stub.ends_with('\n') ? "" : "\n") + "#endif\n";
}

/// Writes down all guards at once, where one of them, or an access to its data, is on a line of the range.
std::optional<lsp::CodeAction> guardsAction(const Report& report, const Document& document,
                                            const lsp::Range& range, PositionEncoding encoding,
                                            bool documentChanges) {
  const auto touches = [&](const SourcePlace& place) {
    return place.file == *document.path && place.line != 0 && range.start.line <= place.line - 1 &&
           place.line - 1 <= range.end.line;
  };
  std::set<std::string> names;
  bool isHere = false;
  for (const Guard& guard : report.guards.found) {
    if (guard.written) continue;
    names.insert(guard.name);
    isHere = isHere || touches(guard.place) ||
             std::any_of(report.accesses.begin(), report.accesses.end(), [&](const SharedAccess& access) {
               return access.data == guard.data && touches(access.access.place);
             });
  }
  const auto& edits = report.guards.edits;
  if (!isHere || edits.empty() || std::any_of(edits.begin(), edits.end(), [&](const TextEditAt& edit) {
        return edit.file != *document.path;
      }))
    return std::nullopt;
  std::string title = "Heddle: write down which lock guards";
  for (const std::string& name : names) title += (name == *names.begin() ? " '" : ", '") + name + "'";
  lsp::CodeAction action;
  action.title = title;
  action.kind = lsp::code_action_kind::quickFix;
  action.edit.emplace();
  const PositionMap& map = *document.map;
  std::vector<lsp::TextEdit> changes;
  for (const TextEditAt& edit : edits) {
    const size_t begin = map.offsetOfPlace(edit.startLine, edit.startColumn);
    const size_t end =
        edit.endLine > map.lineCount() ? map.text().size() : map.offsetOfPlace(edit.endLine, edit.endColumn);
    changes.push_back({toLsp(map, {begin, end}, encoding), edit.newText, std::nullopt});
  }
  if (documentChanges)
    action.edit->documentChanges =
        std::vector<lsp::TextDocumentEdit>{{{document.uri, document.version}, std::move(changes)}};
  else
    action.edit->changes =
        std::map<lsp::DocumentUri, std::vector<lsp::TextEdit>>{{document.uri, std::move(changes)}};
  return action;
}

}  // namespace

std::vector<lsp::CodeAction> keepActionsAt(FileSession& session, const Document& document,
                                           const lsp::CodeActionParams& params, const std::string& entry,
                                           PositionEncoding encoding, bool documentChanges) {
  std::vector<lsp::CodeAction> actions;
  if (!lsp::wantsKind(params.context, lsp::code_action_kind::quickFix) || session.stale ||
      !session.lastReport)
    return actions;
  const Report& report = *session.lastReport;
  const PositionMap& map = *document.map;
  const auto touches = [&](uint32_t line) {
    return params.range.start.line <= line && line <= params.range.end.line;
  };
  if (!report.harness.empty() && askedHarness(map.text(), entry).empty()) {
    const Outline outline = outlineOf(map.text(), session.tokensOf(document.map));
    if (const OutlineFunction* function = outline.find(firstOf(report.harness))) {
      const uint32_t line = map.positionOf(function->nameRange.begin, PositionEncoding::Utf8).line;
      if (touches(line))
        actions.push_back(insertion("Heddle: keep the harness '" + report.harness + "' in a comment",
                                    {line, 0}, "// heddle: harness " + report.harness + "\n", document,
                                    documentChanges));
    }
  }
  // Its edits are of the text that was explored: a comment above them moves places, and not edits.
  if (session.reported == document.map)
    if (auto action = guardsAction(report, document, params.range, encoding, documentChanges))
      actions.push_back(std::move(*action));
  const size_t size = map.text().size();
  const TextPosition end = map.positionOf(size, encoding);
  const std::string before = end.character == 0 ? "" : "\n";
  for (const UnknownCall& call : report.unknownCalls) {
    const bool isHere = std::any_of(call.places.begin(), call.places.end(), [&](const SourcePlace& place) {
      return place.file == *document.path && place.line != 0 && touches(place.line - 1);
    });
    if (!isHere || call.stub.empty()) continue;
    // Behind the last character, which may end no line.
    actions.push_back(insertion("Heddle: say what '" + call.name + "' does", {end.line, end.character},
                                before + guarded(call), document, documentChanges));
  }
  return actions;
}

}  // namespace heddle
