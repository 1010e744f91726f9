#include "protocol/client_capabilities.h"

#include <algorithm>

#include "protocol/field.h"

namespace heddle::lsp {
namespace {

using C = ClientCapabilities;

constexpr const char* encodingNames[] = {"utf-8", "utf-16",
                                         "utf-32"};  // in the order of PositionEncodingKind

struct Flag {
  bool C::*member;
  const char* path;
};

/// True where JSON has a literal true.
constexpr Flag booleans[] = {
    {&C::relatedInformation, "textDocument/publishDiagnostics/relatedInformation"},
    {&C::diagnosticVersion, "textDocument/publishDiagnostics/versionSupport"},
    {&C::codeDescription, "textDocument/publishDiagnostics/codeDescriptionSupport"},
    {&C::diagnosticData, "textDocument/publishDiagnostics/dataSupport"},
    {&C::codeActionData, "textDocument/codeAction/dataSupport"},
    {&C::codeActionDisabled, "textDocument/codeAction/disabledSupport"},
    {&C::codeActionIsPreferred, "textDocument/codeAction/isPreferredSupport"},
    {&C::workDoneProgress, "window/workDoneProgress"},
    {&C::showDocument, "window/showDocument/support"},
    {&C::applyEdit, "workspace/applyEdit"},
    {&C::documentChanges, "workspace/workspaceEdit/documentChanges"},
    {&C::configuration, "workspace/configuration"},
    {&C::workspaceFolders, "workspace/workspaceFolders"},
    {&C::codeLensRefresh, "workspace/codeLens/refreshSupport"},
    {&C::inlayHintRefresh, "workspace/inlayHint/refreshSupport"},
    {&C::diagnosticRefresh, "workspace/diagnostics/refreshSupport"},
    {&C::didChangeWatchedFilesDynamic, "workspace/didChangeWatchedFiles/dynamicRegistration"},
    {&C::didChangeConfigurationDynamic, "workspace/didChangeConfiguration/dynamicRegistration"},
};

/// True where JSON has an object, whatever it holds.
constexpr Flag objects[] = {
    {&C::diagnosticPull, "textDocument/diagnostic"},
    {&C::diagnosticTags, "textDocument/publishDiagnostics/tagSupport"},
    {&C::codeActionLiterals, "textDocument/codeAction/codeActionLiteralSupport"},
    {&C::changeAnnotations, "workspace/workspaceEdit/changeAnnotationSupport"},
};

constexpr const char* hoverFormats = "textDocument/hover/contentFormat";
constexpr const char* resolvableProperties = "textDocument/codeAction/resolveSupport/properties";

bool lists(const json& array, const char* word) {
  return array.is_array() && std::find(array.begin(), array.end(), json(word)) != array.end();
}

}  // namespace

void to_json(json& value, PositionEncodingKind in) {
  value = encodingNames[static_cast<size_t>(in)];
}

void from_json(const json& value, PositionEncodingKind& out) {
  for (size_t i = 0; i < std::size(encodingNames); ++i) {
    if (value == encodingNames[i]) {
      out = static_cast<PositionEncodingKind>(i);
      return;
    }
  }
  throwTypeError(value, "must be utf-8, utf-16 or utf-32");
}

void to_json(json& value, const ClientCapabilities& in) {
  value = json::object();
  for (const Flag& flag : booleans) {
    if (in.*flag.member) setAt(value, flag.path, true);
  }
  for (const Flag& flag : objects) {
    if (in.*flag.member) setAt(value, flag.path, json::object());
  }
  if (!in.positionEncodings.empty())
    setAt(value, "general/positionEncodings", writeValue(in.positionEncodings));
  if (in.hoverMarkdown) setAt(value, hoverFormats, json::array({"markdown", "plaintext"}));
  if (in.codeActionResolveEdit) setAt(value, resolvableProperties, json::array({"edit"}));
  writeField(value, "experimental", in.experimental);
}

void from_json(const json& value, ClientCapabilities& out) {
  out = ClientCapabilities();
  for (const Flag& flag : booleans) out.*flag.member = valueAt(value, flag.path) == true;
  for (const Flag& flag : objects) out.*flag.member = valueAt(value, flag.path).is_object();
  out.hoverMarkdown = lists(valueAt(value, hoverFormats), "markdown");
  out.codeActionResolveEdit = lists(valueAt(value, resolvableProperties), "edit");
  out.experimental = valueAt(value, "experimental");
  const json& encodings = valueAt(value, "general/positionEncodings");
  if (!encodings.is_array()) return;
  for (const json& encoding : encodings) {
    for (size_t i = 0; i < std::size(encodingNames); ++i) {
      if (encoding == encodingNames[i]) out.positionEncodings.push_back(static_cast<PositionEncodingKind>(i));
    }
  }
}

}  // namespace heddle::lsp
