// Notes: what stands behind a verdict, as hints at their place with what to do about it: assumptions, bounds,
// a spent budget, and suppressed findings. They move with edits like findings.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "analysis/report.h"
#include "server/convert/located_finding.h"
#include "server/source/outline.h"

namespace heddle {

struct LocatedNote {
  ByteRange range;
  std::string code;  // "heddle-assumption", "heddle-bound", "heddle-budget", "heddle-unreached"
  std::string message;
  bool isUnreached = false;  // to be shown in grey: no execution came there
};

/// Bounds and the budget have no place of their own: they stand at the entry point's name.
std::vector<LocatedNote> notesOf(const Report& report, const Outline& outline, const LocateContext& context);

/// Moves the notes with an edit; those whose text is gone go too.
void shift(std::vector<LocatedNote>& notes, const AppliedChange& change);

lsp::Diagnostic hintDiagnostic(ByteRange range, const std::string& code, const std::string& message,
                               const PositionMap& map, const DiagnosticStyle& style);

}  // namespace heddle
