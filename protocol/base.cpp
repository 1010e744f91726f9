#include "protocol/base.h"

#include "protocol/field.h"

namespace heddle::lsp {

HEDDLE_LSP_FIELDS(Position, line, character)
HEDDLE_LSP_FIELDS(Range, start, end)
HEDDLE_LSP_FIELDS(Location, uri, range)
HEDDLE_LSP_FIELDS(TextDocumentIdentifier, uri)
HEDDLE_LSP_FIELDS(VersionedTextDocumentIdentifier, uri, version)

void to_json(json& value, const OptionalVersionedTextDocumentIdentifier& in) {
  value = json::object();
  writeField(value, "uri", in.uri);
  value["version"] = writeValue(in.version);
}

void from_json(const json& value, OptionalVersionedTextDocumentIdentifier& out) {
  requireObject(value);
  readField(value, "uri", out.uri);
  readField(value, "version", out.version);
}

HEDDLE_LSP_FIELDS(TextDocumentItem, uri, languageId, version, text)
HEDDLE_LSP_FIELDS(TextDocumentPositionParams, textDocument, position)
HEDDLE_LSP_FIELDS(TextEdit, range, newText, annotationId)
HEDDLE_LSP_FIELDS(TextDocumentEdit, textDocument, edits)
HEDDLE_LSP_FIELDS(ChangeAnnotation, label, needsConfirmation, description)
HEDDLE_LSP_FIELDS(WorkspaceEdit, changes, documentChanges, changeAnnotations)
HEDDLE_LSP_FIELDS(Command, title, command, arguments)

void to_json(json& value, MarkupKind in) {
  value = in == MarkupKind::Markdown ? "markdown" : "plaintext";
}

void from_json(const json& value, MarkupKind& out) {
  const auto word = value.get<std::string>();
  if (word != "markdown" && word != "plaintext") throwTypeError(value, "must be plaintext or markdown");
  out = word == "markdown" ? MarkupKind::Markdown : MarkupKind::PlainText;
}

HEDDLE_LSP_FIELDS(MarkupContent, kind, value)
HEDDLE_LSP_FIELDS(WorkspaceFolder, uri, name)

}  // namespace heddle::lsp
