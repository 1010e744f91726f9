#include "server/features/publish.h"

#include <algorithm>

#include "server/render/interleaving.h"

namespace heddle {
namespace {

/// Where, not what: the text of the error is for the compiler's own server to show.
std::string firstError(const Report& report) {
  if (report.problemPlace.line == 0) return "";
  return " (first error at line " + std::to_string(report.problemPlace.line) +
         (report.problemPlace.file.empty() || report.problemPlace.file == report.file
              ? ")"
              : " of " + baseName(report.problemPlace.file) + ")");
}

}  // namespace

lsp::PublishDiagnosticsParams diagnosticsOf(const FileSession& session, const Document& document,
                                            const DiagnosticStyle& style) {
  lsp::PublishDiagnosticsParams params;
  params.uri = document.uri;
  params.version = document.version;
  for (const LocatedFinding& located : session.shown)
    params.diagnostics.push_back(toDiagnostic(located, document.uri, *document.map, style));
  if (session.problem) {
    params.diagnostics.push_back(informationDiagnostic(session.problem->range, session.problem->code,
                                                       session.problem->message, *document.map, style));
  }
  return params;
}

std::optional<FileProblem> problemOf(const Report& report, const LocateContext& context) {
  if (report.verdict == Verdict::Error) {
    // What the compiler says is shown by the compiler's own server; one line says why Heddle is silent.
    return FileProblem{locatePlace(report.problemPlace, context), "heddle-compile",
                       "not explored: the file does not compile" + firstError(report)};
  }
  const bool inPart =
      std::any_of(report.properties.begin(), report.properties.end(),
                  [](const auto& property) { return property.second == Verdict::Unsupported; });
  if (report.verdict == Verdict::Unsupported || inPart) {
    return FileProblem{locatePlace(report.problemPlace, context), "heddle-unsupported",
                       "not explored in full: " +
                           (report.problem.empty() ? "something cannot be modelled" : report.problem)};
  }
  return std::nullopt;
}

}  // namespace heddle
