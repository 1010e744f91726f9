// Code actions: verified fixes as quick fixes. The edit comes when the user chooses one (codeAction/resolve)
// and carries the document's version, so that an editor refuses it for any other text.
//
// Threading: pure functions, but for the look at files on disk that are not open.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/repair/repair.h"
#include "protocol/code_action.h"
#include "server/convert/position_map.h"
#include "server/state/document_store.h"

namespace heddle {

/// What the client can do with fixes.
struct FixStyle {
  PositionEncoding encoding = PositionEncoding::Utf8;
  bool resolve = false;          // asks for the edit of a chosen action
  bool disabled = false;         // shows actions that cannot be used, with the reason
  bool preferred = false;        // knows isPreferred
  bool documentChanges = false;  // takes edits with versions
  bool annotations = false;      // takes explained changes
};

/// What an action carries from the menu to its resolution.
struct FixTicket {
  lsp::DocumentUri uri;
  int64_t version = 0;
  std::string finding;
  int patch = -1;  // -1: the best one, still to be found
};
lsp::json toJson(const FixTicket& ticket);
std::optional<FixTicket> fixTicketOf(const lsp::json& data);

/// "Heddle: guard 'x' with a new mutex 'x_mutex' (verified: all 3 paths)"; for what cures several findings
/// "Heddle: fix all 3 findings of 'x': guard …", without "all" when others remain.
std::string fixTitle(const Patch& patch);

/// The actions for one finding, best first; without edits.
std::vector<lsp::CodeAction> fixActions(const RepairResult& fixes, const FixTicket& ticket,
                                        const std::vector<lsp::Diagnostic>& diagnostics,
                                        const FixStyle& style);
/// An action whose fix is looked for when it is chosen.
lsp::CodeAction fixLater(const std::string& claim, const FixTicket& ticket,
                         const std::vector<lsp::Diagnostic>& diagnostics);
lsp::CodeAction noFix(const std::string& claim, const std::string& reason,
                      const std::vector<lsp::Diagnostic>& diagnostics);

struct EditOrProblem {
  std::optional<lsp::WorkspaceEdit> edit;
  std::string problem;  // one sentence for the user
};
/// `before`: the text that each file had when the patch was verified. Nothing is changed when a file has
/// another text now, is gone or is read-only.
EditOrProblem fixEdit(const Patch& patch, const std::function<std::string(const std::string& path)>& before,
                      const DocumentStore& documents, const FixStyle& style);

}  // namespace heddle
