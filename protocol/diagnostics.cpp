#include "protocol/diagnostics.h"

#include "protocol/field.h"

namespace heddle::lsp {

HEDDLE_LSP_INT_ENUM(DiagnosticSeverity, Error, Hint)
HEDDLE_LSP_INT_ENUM(DiagnosticTag, Unnecessary, Deprecated)
HEDDLE_LSP_FIELDS(DiagnosticRelatedInformation, location, message)
HEDDLE_LSP_FIELDS(CodeDescription, href)

void to_json(json& value, const DiagnosticCode& in) {
  value = writeIdentifier(in.value);
}
void from_json(const json& value, DiagnosticCode& out) {
  out.value = readIdentifier(value);
}

HEDDLE_LSP_FIELDS(Diagnostic, range, severity, code, codeDescription, source, message, tags,
                  relatedInformation, data)
HEDDLE_LSP_FIELDS(DocumentDiagnosticParams, textDocument, identifier, previousResultId)
HEDDLE_LSP_FIELDS(DocumentDiagnosticReport, kind, resultId, items)
HEDDLE_LSP_FIELDS(PublishDiagnosticsParams, uri, version, diagnostics)

}  // namespace heddle::lsp
