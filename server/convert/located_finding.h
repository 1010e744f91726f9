// LocatedFinding: a finding with its places as byte ranges of an open document, so that it can move with
// edits; and its conversion to an LSP diagnostic. One of the places where analysis and protocol meet.
//
// Threading: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report.h"
#include "protocol/client_capabilities.h"
#include "protocol/diagnostics.h"
#include "server/convert/position_map.h"
#include "server/convert/text_change.h"

namespace heddle {

lsp::Range toLsp(const PositionMap& map, ByteRange range, PositionEncoding encoding);
/// UTF-8 if the client has it, because nothing needs converting then; else what every client has.
PositionEncoding chooseEncoding(const std::vector<lsp::PositionEncodingKind>& offered);
lsp::PositionEncodingKind toLsp(PositionEncoding encoding);

TextPosition fromLsp(const lsp::Position& position);

struct LocatedPlace {
  ByteRange range;                       // in the document, unless:
  std::optional<lsp::Location> outside;  // in another file, which does not move
  std::string message;
};

struct LocatedFinding {
  Finding finding;
  ByteRange range;  // the token at the finding's place
  std::vector<LocatedPlace> related;
  int32_t version = 0;       // of the text that was analysed
  bool stale = false;        // the text has changed since
  bool staleBefore = false;  // what `stale` was before the edits that nobody has looked at yet
  bool confirmed = false;    // by an earlier finding's schedule, before the exploration has come to it
  std::optional<std::string> suppressed;  // the user's reason
};

/// The text that findings are placed in, and those of other files they mention.
struct LocateContext {
  std::string path;
  const PositionMap& map;
  const std::map<std::string, std::shared_ptr<const PositionMap>>& otherTexts;
  PositionEncoding encoding;
};

/// A finding in another file is placed at the #include that names it (a header), else at the latest place of
/// the document that has to do with it, else on the first line, with the real place first among the related
/// ones.
LocatedFinding locate(const Finding& finding, int32_t version, const LocateContext& context);

/// The token at a place. `uri`: of the document.
lsp::Location locationOf(const SourcePlace& place, const lsp::DocumentUri& uri, const LocateContext& context);

/// For problems of the whole file: the token at `place` if it is in the document, else the first line's first
/// token.
ByteRange locatePlace(const SourcePlace& place, const LocateContext& context);

/// Moves everything with an edit and marks it stale. False: the text it stood on is gone.
bool shift(LocatedFinding& located, const AppliedChange& change);

/// What the client can show.
struct DiagnosticStyle {
  PositionEncoding encoding = PositionEncoding::Utf16;
  bool tags = false;
  bool relatedInformation = false;
  std::string docs;  // URI of the page that documents the codes; empty: none, or the client shows none
  bool data = false;
};

lsp::Diagnostic toDiagnostic(const LocatedFinding& located, const lsp::DocumentUri& uri,
                             const PositionMap& map, const DiagnosticStyle& style);

/// `code`: "heddle-unsupported", "heddle-compile" or "heddle-compiler".
lsp::Diagnostic informationDiagnostic(ByteRange range, const std::string& code, const std::string& message,
                                      const PositionMap& map, const DiagnosticStyle& style);

}  // namespace heddle
