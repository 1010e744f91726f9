// textDocument/codeAction and codeAction/resolve. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base.h"
#include "protocol/diagnostics.h"
#include "protocol/progress.h"

namespace heddle::lsp {

/// Kinds are dotted words, open to clients and servers.
namespace code_action_kind {
inline constexpr const char* quickFix = "quickfix";
inline constexpr const char* refactor = "refactor";
inline constexpr const char* source = "source";
}  // namespace code_action_kind

enum class CodeActionTriggerKind : uint8_t { Invoked = 1, Automatic = 2 };
void to_json(json& value, CodeActionTriggerKind in);
void from_json(const json& value, CodeActionTriggerKind& out);

struct CodeActionContext {
  std::vector<Diagnostic> diagnostics;
  std::optional<std::vector<std::string>> only;
  std::optional<CodeActionTriggerKind> triggerKind;
  bool operator==(const CodeActionContext&) const = default;
};
void to_json(json& value, const CodeActionContext& in);
void from_json(const json& value, CodeActionContext& out);
/// Whether the client asks for actions of this kind: for all, for it, or for one that it is a part of
/// ("refactor" for "refactor.inline").
bool wantsKind(const CodeActionContext& context, std::string_view kind);

struct CodeActionParams {
  TextDocumentIdentifier textDocument;
  Range range;
  CodeActionContext context;
  std::optional<ProgressToken> workDoneToken;
  bool operator==(const CodeActionParams&) const = default;
};
void to_json(json& value, const CodeActionParams& in);
void from_json(const json& value, CodeActionParams& out);

struct CodeActionDisabled {
  std::string reason;
  bool operator==(const CodeActionDisabled&) const = default;
};
void to_json(json& value, const CodeActionDisabled& in);
void from_json(const json& value, CodeActionDisabled& out);

struct CodeAction {
  std::string title;
  std::optional<std::string> kind;
  std::optional<std::vector<Diagnostic>> diagnostics;
  std::optional<bool> isPreferred;
  std::optional<CodeActionDisabled> disabled;
  std::optional<WorkspaceEdit> edit;
  std::optional<Command> command;
  json data;  // null: absent
  bool operator==(const CodeAction&) const = default;
};
void to_json(json& value, const CodeAction& in);
void from_json(const json& value, CodeAction& out);

}  // namespace heddle::lsp
