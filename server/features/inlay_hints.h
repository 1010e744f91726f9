// Inlay hints at shared reads: the values that the executions of the findings read there, and who wrote them.
// Off unless asked for (setting `inlayHints`).
//
// Threading: pure functions.
#pragma once

#include <vector>

#include "protocol/inlay_hint.h"
#include "server/convert/located_finding.h"
#include "server/features/read_values.h"

namespace heddle {

struct FileView;

/// A read with its place in an open document, so that it moves with edits.
struct LocatedRead {
  ByteRange range;
  SharedRead read;
};

std::vector<LocatedRead> locateReads(const Report& report, const LocateContext& context);
void shift(std::vector<LocatedRead>& reads, const AppliedChange& change);

std::vector<lsp::InlayHint> inlayHintsOf(const std::vector<LocatedRead>& reads, const lsp::DocumentUri& uri,
                                         const LocateContext& context, const lsp::Range& range);
/// None where the text was edited since it was explored.
std::vector<lsp::InlayHint> inlayHintsIn(const lsp::InlayHintParams& params, const FileView& view);

}  // namespace heddle
