// textDocument/hover. Plain data. The result is std::optional<Hover>: null where nothing is known.
#pragma once

#include <optional>

#include "protocol/base.h"
#include "protocol/progress.h"

namespace heddle::lsp {

struct HoverParams {
  TextDocumentIdentifier textDocument;
  Position position;
  std::optional<ProgressToken> workDoneToken;
  bool operator==(const HoverParams&) const = default;
};
void to_json(json& value, const HoverParams& in);
void from_json(const json& value, HoverParams& out);

struct Hover {
  MarkupContent contents;
  std::optional<Range> range;
  bool operator==(const Hover&) const = default;
};
void to_json(json& value, const Hover& in);
void from_json(const json& value, Hover& out);

}  // namespace heddle::lsp
