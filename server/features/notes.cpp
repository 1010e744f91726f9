#include "server/features/notes.h"

#include <algorithm>

#include "server/convert/source_token.h"
#include "server/render/text_report.h"

namespace heddle {

namespace {

/// Functions and assertions that no execution came to.
void addUnreached(const Report& report, const Outline& outline, const LocateContext& context,
                  std::vector<LocatedNote>& notes) {
  const bool isAll = isExhaustive(report);
  for (const Unreached& what : report.reach->unreached) {
    const bool isFunction = what.kind == Unreached::Kind::Function;
    if (!isFunction && what.kind != Unreached::Kind::Assertion) continue;
    const OutlineFunction* function = isFunction ? outline.find(what.function) : nullptr;
    const bool isHere = what.place.file.empty() || what.place.file == context.path;
    if (!isHere || what.place.line == 0) continue;
    notes.push_back({function ? ByteRange{function->nameRange.begin, function->body.end}
                              : locatePlace(what.place, context),
                     "heddle-unreached",
                     what.text + (isAll ? " is never reached" : " was not reached: nothing is known of it"),
                     true});
  }
}

}  // namespace

std::vector<LocatedNote> notesOf(const Report& report, const Outline& outline, const LocateContext& context) {
  std::vector<LocatedNote> notes;
  const OutlineFunction* entry = outline.find(report.entry);
  const ByteRange top = entry != nullptr ? entry->nameRange : tokenAt(context.map.text(), 0);
  const auto add = [&](ByteRange range, const char* code, const std::string& message) {
    const bool known = std::any_of(notes.begin(), notes.end(), [&](const LocatedNote& note) {
      return note.range == range && note.message == message;
    });
    if (!known) notes.push_back({range, code, message, false});
  };
  for (const Assumption& assumption : report.assumptions)
    add(assumption.place.line == 0 ? top : locatePlace(assumption.place, context), "heddle-assumption",
        "assumed: " + assumption.text +
            ". The verdict holds under this assumption only; replace the call by code or by an input to be "
            "rid of it");
  for (const UnknownCall& call : report.unknownCalls)
    for (const SourcePlace& place : call.places)
      if (place.file.empty() || place.file == context.path)
        add(locatePlace(place, context), "heddle-unknown",
            "'" + call.name + "' is neither defined nor modelled: " +
                (call.effect == "refused" ? "an execution that comes here is not followed further"
                                          : "it is taken to change " + call.effect +
                                                " and to return any value (setting `unknown`)") +
                ". `heddle stubs` prints a definition to start from");
  for (const NamedBound& bound : report.bounds)
    add(top, "heddle-bound",
        "explored within a bound: " + bound.text +
            ". Raise the bound, or restrict the inputs with heddle_assume, to have the verdict without it");
  if (report.reach) addUnreached(report, outline, context, notes);
  if (report.problemKind == ProblemKind::NotReached)
    add(top, "heddle-bound",
        report.problem +
            ". A bound or an assumption may be the reason: raise it, or give the program what it "
            "needs to get there");
  else if (report.verdict == Verdict::Incomplete ||
           std::any_of(report.properties.begin(), report.properties.end(),
                       [](const auto& property) { return property.second == Verdict::Incomplete; }))
    add(top, "heddle-budget",
        "not decided in full: " + (report.problem.empty() ? "the budget is spent" : report.problem) + ", " +
            std::to_string(report.stats.openLeaves) + " branches are left" +
            (report.open.empty() ? "" : ": " + openText(report) + "; " + kMakeSmaller) +
            ". Save the file for the larger time box, or raise 'budget'");
  return notes;
}

void shift(std::vector<LocatedNote>& notes, const AppliedChange& change) {
  std::erase_if(notes, [&](LocatedNote& note) {
    const std::optional<ByteRange> moved = shiftRange(note.range, change);
    if (moved) note.range = *moved;
    return !moved;
  });
}

lsp::Diagnostic hintDiagnostic(ByteRange range, const std::string& code, const std::string& message,
                               const PositionMap& map, const DiagnosticStyle& style) {
  lsp::Diagnostic diagnostic = informationDiagnostic(range, code, message, map, style);
  diagnostic.severity = lsp::DiagnosticSeverity::Hint;
  return diagnostic;
}

}  // namespace heddle
