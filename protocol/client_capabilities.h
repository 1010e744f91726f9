// What the client can do, flattened to the few facts that the server reads. Plain data.
//
// JSON has the specification's nesting; an unexpected shape of a capability reads as "cannot" and never as an
// error, because clients add to this object with every version.
#pragma once

#include <cstdint>
#include <vector>

#include "protocol/json.h"

namespace heddle::lsp {

enum class PositionEncodingKind : uint8_t { Utf8, Utf16, Utf32 };
void to_json(json& value, PositionEncodingKind in);
void from_json(const json& value, PositionEncodingKind& out);

struct ClientCapabilities {
  std::vector<PositionEncodingKind>
      positionEncodings;            // general.positionEncodings, in the client's order; unknown ones skipped
  bool hoverMarkdown = false;       // textDocument.hover.contentFormat lists markdown
  bool relatedInformation = false;  // textDocument.publishDiagnostics.*
  bool diagnosticVersion = false;
  bool diagnosticTags = false;
  bool codeDescription = false;
  bool diagnosticData = false;
  bool codeActionLiterals = false;     // textDocument.codeAction.codeActionLiteralSupport
  bool codeActionResolveEdit = false;  // textDocument.codeAction.resolveSupport.properties lists edit
  bool codeActionData = false;
  bool codeActionDisabled = false;
  bool codeActionIsPreferred = false;
  bool workDoneProgress = false;               // window.workDoneProgress
  bool showDocument = false;                   // window.showDocument.support
  bool applyEdit = false;                      // workspace.applyEdit
  bool documentChanges = false;                // workspace.workspaceEdit.documentChanges
  bool changeAnnotations = false;              // workspace.workspaceEdit.changeAnnotationSupport
  bool configuration = false;                  // workspace.configuration
  bool workspaceFolders = false;               // workspace.workspaceFolders
  bool codeLensRefresh = false;                // workspace.codeLens.refreshSupport
  bool inlayHintRefresh = false;               // workspace.inlayHint.refreshSupport
  bool diagnosticPull = false;                 // textDocument.diagnostic is there
  bool diagnosticRefresh = false;              // workspace.diagnostics.refreshSupport
  bool didChangeWatchedFilesDynamic = false;   // workspace.didChangeWatchedFiles.dynamicRegistration
  bool didChangeConfigurationDynamic = false;  // workspace.didChangeConfiguration.dynamicRegistration
  json experimental;                           // null: absent
  bool operator==(const ClientCapabilities&) const = default;
};
void to_json(json& value, const ClientCapabilities& in);
void from_json(const json& value, ClientCapabilities& out);

}  // namespace heddle::lsp
