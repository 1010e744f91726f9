#include "server/convert/located_finding.h"

#include <algorithm>
#include <set>

#include "protocol/uri.h"
#include "server/convert/source_token.h"
#include "server/render/interleaving.h"

namespace heddle {
namespace {

constexpr size_t kMostRelated = 12;
constexpr size_t kTelling = 3;

lsp::Position toLsp(TextPosition position) {
  return {position.line, position.character};
}

/// Line and byte column as they are, for a file whose text is not known: exact for ASCII lines.
lsp::Range blindRange(const SourcePlace& place) {
  const lsp::Position at{place.line == 0 ? 0 : place.line - 1, place.column == 0 ? 0 : place.column - 1};
  return {at, at};
}

/// In another file than the document.
lsp::Location outsideLocation(const SourcePlace& place, const LocateContext& context) {
  lsp::Range range = blindRange(place);
  if (const auto text = context.otherTexts.find(place.file); text != context.otherTexts.end()) {
    const PositionMap& map = *text->second;
    range = toLsp(map, tokenAt(map.text(), map.offsetOfPlace(place.line, place.column)), context.encoding);
  }
  return {place.file.starts_with("/") ? lsp::uriFromPath(place.file) : place.file, range};
}

LocatedPlace locateRelated(const RelatedPlace& related, const LocateContext& context) {
  LocatedPlace located;
  located.message = related.message;
  const SourcePlace& place = related.place;
  if (place.file.empty() || place.file == context.path) {
    located.range = tokenAt(context.map.text(), context.map.offsetOfPlace(place.line, place.column));
    return located;
  }
  located.outside = outsideLocation(place, context);
  return located;
}

/// The finding's own related places; then (up to three in all) the orders that make it fail, as far as they
/// are known; else the last step of each other thread before the failure: what the failing thread did not
/// expect to happen in between.
std::vector<RelatedPlace> tellingPlaces(const Finding& finding) {
  std::vector<RelatedPlace> places = finding.related;
  if (places.size() > kMostRelated) places.resize(kMostRelated);
  for (const OrderingFact& fact : finding.core) {
    if (places.size() >= kTelling) break;
    std::string text = fact.text;
    std::replace(text.begin(), text.end(), '`', '\'');
    places.push_back({fact.before, text});
    if (fact.after.line != fact.before.line || fact.after.file != fact.before.file)
      places.push_back({fact.after, "then " + fact.afterThread + " here"});
  }
  if (finding.steps.empty() || !finding.core.empty()) return places;
  const std::string& failing = finding.steps.back().thread;
  std::set<std::string> seen;
  for (auto step = finding.steps.rbegin(); step != finding.steps.rend() && places.size() < kTelling; ++step) {
    if (step->kind == "start" || step->kind == "end") continue;  // of no consequence to anyone
    if (step->thread == failing || step->place.line == 0 || !seen.insert(step->thread).second) continue;
    const bool known = std::any_of(places.begin(), places.end(), [&](const RelatedPlace& place) {
      return place.place.line == step->place.line && place.place.file == step->place.file;
    });
    if (!known) places.push_back({step->place, step->thread + ": " + step->event});
  }
  return places;
}

/// The #include line that brings `file` in, for a finding in a header; nothing: there is none.
std::optional<ByteRange> includeOf(const std::string& file, const PositionMap& map) {
  const std::string name = baseName(file);
  for (size_t line = 0; line < map.lineCount(); line++) {
    const std::string_view text = map.line(line);
    const size_t hash = text.find_first_not_of(" \t");
    if (hash == std::string_view::npos || text[hash] != '#' || text.find("include") == std::string_view::npos)
      continue;
    if (text.find(name) == std::string_view::npos) continue;
    const size_t begin = map.offsetOf({static_cast<uint32_t>(line), 0}, PositionEncoding::Utf8);
    return ByteRange{begin + hash, begin + text.size()};
  }
  return std::nullopt;
}

/// Where a finding in another file is shown: what brings that file in, else the place in the document that
/// has to do with it, the latest one; else the first line.
ByteRange standIn(const Finding& finding, const LocateContext& context) {
  if (const auto include = includeOf(finding.place.file, context.map)) return *include;
  const auto tokenOf = [&](const SourcePlace& place) {
    return tokenAt(context.map.text(), context.map.offsetOfPlace(place.line, place.column));
  };
  for (const RelatedPlace& related : finding.related)
    if (related.place.file == context.path && related.place.line != 0) return tokenOf(related.place);
  for (auto step = finding.steps.rbegin(); step != finding.steps.rend(); ++step)
    if (step->place.file == context.path && step->place.line != 0) return tokenOf(step->place);
  return tokenAt(context.map.text(), 0);
}

lsp::Diagnostic withCode(const std::string& code, const DiagnosticStyle& style) {
  lsp::Diagnostic diagnostic;
  diagnostic.source = "heddle";
  diagnostic.code = lsp::DiagnosticCode{code};
  if (!style.docs.empty()) diagnostic.codeDescription = lsp::CodeDescription{style.docs + "#" + code};
  return diagnostic;
}

}  // namespace

lsp::Range toLsp(const PositionMap& map, ByteRange range, PositionEncoding encoding) {
  return {toLsp(map.positionOf(range.begin, encoding)), toLsp(map.positionOf(range.end, encoding))};
}

PositionEncoding chooseEncoding(const std::vector<lsp::PositionEncodingKind>& offered) {
  const bool bytes =
      std::find(offered.begin(), offered.end(), lsp::PositionEncodingKind::Utf8) != offered.end();
  return bytes ? PositionEncoding::Utf8 : PositionEncoding::Utf16;
}

lsp::PositionEncodingKind toLsp(PositionEncoding encoding) {
  return encoding == PositionEncoding::Utf8 ? lsp::PositionEncodingKind::Utf8
                                            : lsp::PositionEncodingKind::Utf16;
}

TextPosition fromLsp(const lsp::Position& position) {
  return {position.line, position.character};
}

lsp::Location locationOf(const SourcePlace& place, const lsp::DocumentUri& uri,
                         const LocateContext& context) {
  if (!place.file.empty() && place.file != context.path) return outsideLocation(place, context);
  const ByteRange token = tokenAt(context.map.text(), context.map.offsetOfPlace(place.line, place.column));
  return {uri, toLsp(context.map, token, context.encoding)};
}

ByteRange locatePlace(const SourcePlace& place, const LocateContext& context) {
  if (place.line == 0) return tokenAt(context.map.text(), 0);
  if (place.file.empty() || place.file == context.path)
    return tokenAt(context.map.text(), context.map.offsetOfPlace(place.line, place.column));
  return includeOf(place.file, context.map).value_or(tokenAt(context.map.text(), 0));
}

LocatedFinding locate(const Finding& finding, int32_t version, const LocateContext& context) {
  LocatedFinding located;
  located.finding = finding;
  located.version = version;
  const bool elsewhere =
      !finding.place.file.empty() && finding.place.file != context.path && finding.place.line != 0;
  located.range = elsewhere ? standIn(finding, context) : locatePlace(finding.place, context);
  if (elsewhere) located.related.push_back(locateRelated({finding.place, "here"}, context));
  for (const RelatedPlace& place : tellingPlaces(finding))
    located.related.push_back(locateRelated(place, context));
  return located;
}

bool shift(LocatedFinding& located, const AppliedChange& change) {
  located.stale = true;
  const std::optional<ByteRange> range = shiftRange(located.range, change);
  if (!range) return false;
  located.range = *range;
  std::erase_if(located.related, [&](LocatedPlace& place) {
    if (place.outside) return false;
    const std::optional<ByteRange> moved = shiftRange(place.range, change);
    if (moved) place.range = *moved;
    return !moved;
  });
  return true;
}

lsp::Diagnostic toDiagnostic(const LocatedFinding& located, const lsp::DocumentUri& uri,
                             const PositionMap& map, const DiagnosticStyle& style) {
  lsp::Diagnostic diagnostic = withCode(codeOf(located.finding.kind), style);
  diagnostic.range = toLsp(map, located.range, style.encoding);
  diagnostic.severity =
      isWarning(located.finding) ? lsp::DiagnosticSeverity::Warning : lsp::DiagnosticSeverity::Error;
  diagnostic.message = (located.finding.possible ? "possible: " : "") + located.finding.message;
  for (const std::string& assumed : located.finding.assumes) diagnostic.message += "; if " + assumed;
  if (located.stale) {
    diagnostic.message += " (stale: the text has changed since)";
    if (style.tags) diagnostic.tags = {lsp::DiagnosticTag::Unnecessary};
  }
  if (located.suppressed) {
    diagnostic.severity = lsp::DiagnosticSeverity::Hint;
    diagnostic.message = "suppressed (" + *located.suppressed + "): " + diagnostic.message;
  }
  if (style.relatedInformation) {
    std::vector<lsp::DiagnosticRelatedInformation> related;
    for (const LocatedPlace& place : located.related)
      related.push_back(
          {place.outside ? *place.outside : lsp::Location{uri, toLsp(map, place.range, style.encoding)},
           place.message});
    if (!related.empty()) diagnostic.relatedInformation = std::move(related);
  }
  if (style.data)
    diagnostic.data = {
        {"finding", located.finding.id}, {"version", located.version}, {"stale", located.stale}};
  return diagnostic;
}

lsp::Diagnostic informationDiagnostic(ByteRange range, const std::string& code, const std::string& message,
                                      const PositionMap& map, const DiagnosticStyle& style) {
  lsp::Diagnostic diagnostic = withCode(code, style);
  diagnostic.range = toLsp(map, range, style.encoding);
  diagnostic.severity = lsp::DiagnosticSeverity::Information;
  diagnostic.message = message;
  return diagnostic;
}

}  // namespace heddle
