// What is published for a file: its findings, or the one message that says why there is no verdict.
//
// Threading: pure functions.
#pragma once

#include <optional>
#include <vector>

#include "protocol/diagnostics.h"
#include "server/convert/located_finding.h"
#include "server/state/document_store.h"
#include "server/state/file_session.h"

namespace heddle {

/// Whether an earlier finding in `shown`, not suppressed, is the same bug. That one then stands for this one
/// and names its place.
bool isToldBefore(const std::vector<LocatedFinding>& shown, size_t number);

lsp::PublishDiagnosticsParams diagnosticsOf(const FileSession& session, const Document& document,
                                            const DiagnosticStyle& style);

/// Reads the document's comments to Heddle: finds harness comments that are not valid, and marks the findings
/// that they, or the baseline, speak of.
void applySuppressions(FileSession& session, const Document& document, const Baseline& baseline);

/// For a report that says nothing about schedules: the file does not compile, or something in it cannot be
/// modelled.
std::optional<FileProblem> problemOf(const Report& report, const LocateContext& context);

}  // namespace heddle
