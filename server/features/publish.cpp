#include "server/features/publish.h"

#include <algorithm>

#include "server/render/finding_group.h"
#include "server/render/interleaving.h"
#include "server/source/harness.h"

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

bool isToldBefore(const std::vector<LocatedFinding>& shown, size_t number) {
  const LocatedFinding& located = shown[number];
  return !located.suppressed &&
         std::any_of(shown.begin(), shown.begin() + static_cast<std::ptrdiff_t>(number),
                     [&](const LocatedFinding& other) {
                       return !other.suppressed && isSameBug(other.finding, located.finding);
                     });
}

lsp::PublishDiagnosticsParams diagnosticsOf(const FileSession& session, const Document& document,
                                            const DiagnosticStyle& style) {
  lsp::PublishDiagnosticsParams params;
  params.uri = document.uri;
  params.version = document.version;
  for (size_t i = 0; i < session.shown.size(); i++)
    if (!isToldBefore(session.shown, i))
      params.diagnostics.push_back(toDiagnostic(session.shown[i], document.uri, *document.map, style));
  for (const LocatedNote& note : session.notes) {
    lsp::Diagnostic diagnostic = hintDiagnostic(note.range, note.code, note.message, *document.map, style);
    if (note.isUnreached && style.tags) diagnostic.tags = {lsp::DiagnosticTag::Unnecessary};
    params.diagnostics.push_back(std::move(diagnostic));
  }
  for (const LocatedNote& note : session.harnessProblems) {
    lsp::Diagnostic diagnostic = hintDiagnostic(note.range, note.code, note.message, *document.map, style);
    diagnostic.severity = lsp::DiagnosticSeverity::Error;
    params.diagnostics.push_back(std::move(diagnostic));
  }
  for (const IgnoreComment& comment : session.ignores) {
    if (comment.problem.empty()) continue;
    lsp::Diagnostic diagnostic =
        informationDiagnostic(comment.range, "heddle-ignore", "this comment does nothing: " + comment.problem,
                              *document.map, style);
    diagnostic.severity = lsp::DiagnosticSeverity::Warning;
    params.diagnostics.push_back(std::move(diagnostic));
  }
  if (session.problem) {
    params.diagnostics.push_back(informationDiagnostic(session.problem->range, session.problem->code,
                                                       session.problem->message, *document.map, style));
  }
  return params;
}

/// What the comments of the document say to Heddle. Most texts say nothing, and are not lexed for it.
static void readComments(FileSession& session, const Document& document) {
  session.ignores.clear();
  session.harnessProblems.clear();
  const std::string& text = document.map->text();
  if (text.find("heddle:") == std::string::npos) return;
  const CText& tokens = session.tokensOf(document.map);
  session.ignores = ignoreComments(*document.map, tokens);
  for (const Harness& harness : harnessesOf(text, tokens, outlineOf(text, tokens)))
    if (!harness.problem.empty())
      session.harnessProblems.push_back({harness.range, "heddle-harness", "no harness: " + harness.problem});
}

void applySuppressions(FileSession& session, const Document& document, const Baseline& baseline) {
  readComments(session, document);
  for (LocatedFinding& located : session.shown) {
    // The finding's own lines are those of the text that was analysed; these are today's.
    std::vector<uint32_t> lines;
    const auto add = [&](ByteRange range) {
      lines.push_back(document.map->positionOf(range.begin, PositionEncoding::Utf8).line + 1);
    };
    add(located.range);
    if (isRace(located.finding))
      for (size_t i = 0; i < located.related.size() && i < 2; i++)  // its two accesses come first
        if (!located.related[i].outside) add(located.related[i].range);
    located.suppressed = suppressionOf(located.finding, lines, session.ignores, baseline);
  }
}

std::optional<FileProblem> problemOf(const Report& report, const LocateContext& context) {
  if (report.verdict == Verdict::Error && report.compilerFailed)
    return FileProblem{locatePlace(report.problemPlace, context), "heddle-compiler",
                       "not explored: " + report.problem};
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
