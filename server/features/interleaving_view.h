// The interleaving of a finding as data for a panel: steps in lanes, the orders between them, and how long
// each mutex is held. Everything is read off the witness' steps; nothing is computed anew.
//
// Threading: pure functions.
#pragma once

#include "protocol/heddle_extensions.h"
#include "server/convert/located_finding.h"
#include "server/render/replay_command.h"

namespace heddle {

/// `uri`, `map`: of the document with the finding; steps in other files keep their own place.
lsp::Interleaving interleavingOf(const LocatedFinding& located, const lsp::DocumentUri& uri,
                                 const PositionMap& map, const ReplayContext& context,
                                 PositionEncoding encoding);

}  // namespace heddle
