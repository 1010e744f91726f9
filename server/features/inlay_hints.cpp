#include "server/features/inlay_hints.h"

#include <algorithm>

#include "protocol/uri.h"
#include "server/features/file_view.h"

namespace heddle {
namespace {

constexpr size_t kMostShown = 4;

lsp::InlayHintLabelPart partOf(const ReadValue& value, const lsp::DocumentUri& uri,
                               const LocateContext& context) {
  lsp::InlayHintLabelPart part;
  part.value = value.value;
  if (value.writer.empty()) {
    part.tooltip = value.value + ": nobody has written before";
    return part;
  }
  part.value += " (" + value.writer + ")";
  part.tooltip = value.value + ": written in line " + std::to_string(value.written.line) +
                 " by a thread that runs " + value.writer;
  if (value.written.file.empty() || value.written.file == context.path)
    part.location =
        lsp::Location{uri, toLsp(context.map, locatePlace(value.written, context), context.encoding)};
  return part;
}

}  // namespace

std::vector<LocatedRead> locateReads(const Report& report, const LocateContext& context) {
  std::vector<LocatedRead> found;
  for (const SharedRead& read : readsOf(report))
    if (read.place.file.empty() || read.place.file == context.path)
      found.push_back({locatePlace(read.place, context), read});
  return found;
}

void shift(std::vector<LocatedRead>& reads, const AppliedChange& change) {
  std::erase_if(reads, [&](LocatedRead& read) {
    const std::optional<ByteRange> moved = shiftRange(read.range, change);
    if (moved) read.range = *moved;
    return !moved;
  });
}

std::vector<lsp::InlayHint> inlayHintsOf(const std::vector<LocatedRead>& reads, const lsp::DocumentUri& uri,
                                         const LocateContext& context, const lsp::Range& range) {
  std::vector<lsp::InlayHint> hints;
  for (const LocatedRead& read : reads) {
    lsp::InlayHint hint;
    hint.position = toLsp(context.map, read.range, context.encoding).end;
    if (hint.position.line < range.start.line || hint.position.line > range.end.line) continue;
    hint.label.push_back({"reads ", std::nullopt, std::nullopt});
    const size_t shown = std::min(read.read.values.size(), kMostShown);
    for (size_t i = 0; i < shown; i++) {
      if (i > 0) hint.label.push_back({", ", std::nullopt, std::nullopt});
      hint.label.push_back(partOf(read.read.values[i], uri, context));
    }
    if (shown < read.read.values.size()) hint.label.push_back({", \u2026", std::nullopt, std::nullopt});
    hint.tooltip = "Heddle: what the executions that it shows read from '" + read.read.object +
                   "' here, and who wrote it. Others may be possible.";
    hint.paddingLeft = true;
    hints.push_back(std::move(hint));
  }
  return hints;
}

std::vector<lsp::InlayHint> inlayHintsIn(const lsp::InlayHintParams& params, const FileView& view) {
  if (view.session.stale) return {};
  return inlayHintsOf(view.session.reads, view.document.uri, view.context(), params.range);
}

}  // namespace heddle
