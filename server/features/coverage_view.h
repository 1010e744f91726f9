// What schedules and inputs can take of a program, for editors: branches with their sides, functions, and the
// schedules that do it.
//
// Threading: pure functions.
#pragma once

#include <string>

#include "analysis/pipeline/cover.h"
#include "protocol/heddle_extensions.h"
#include "protocol/text_sync.h"
#include "server/convert/located_finding.h"
#include "server/render/replay_command.h"

namespace heddle {

/// "covered 9 of 11 sides of branches, 1 cannot be, 1 open"
std::string coverageText(const CoverReport& report);

/// Branches by their places, those of the document first; places without a line (of what the compiler made)
/// are left out.
lsp::Coverage coverageView(const CoverReport& report, const LocateContext& context,
                           const lsp::VersionedTextDocumentIdentifier& document, const ReplayContext& replay);

}  // namespace heddle
