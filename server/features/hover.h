// Hover over a finding: claim, inputs, the interleaving in columns, and how to see it again; and over data
// that threads share: its locks. A pure function of what is shown. Everything else about symbols is left to
// other servers.
//
// Threading: pure functions.
#pragma once

#include <optional>
#include <string>

#include "protocol/hover.h"
#include "server/convert/located_finding.h"
#include "server/features/shared_data.h"
#include "server/render/replay_command.h"
#include "server/state/file_session.h"

namespace heddle {

struct HoverStyle {
  PositionEncoding encoding = PositionEncoding::Utf8;
  bool markdown = false;
};

/// All findings at the position, or the problem of the file there.
std::optional<lsp::Hover> hoverAt(const FileSession& session, const PositionMap& map,
                                  const lsp::Position& position, const ReplayContext& context,
                                  const HoverStyle& style);

/// Who accesses the data, and which locks are held there.
lsp::Hover hoverOf(const SharedDataAt& data, const PositionMap& map, const HoverStyle& style);

std::string hoverText(const LocatedFinding& located, const ReplayContext& context, bool markdown);

}  // namespace heddle
