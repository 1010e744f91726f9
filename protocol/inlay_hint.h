// textDocument/inlayHint. Plain data; labels are plain strings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "protocol/base.h"

namespace heddle::lsp {

struct InlayHintParams {
  TextDocumentIdentifier textDocument;
  Range range;
  bool operator==(const InlayHintParams&) const = default;
};
void to_json(json& value, const InlayHintParams& in);
void from_json(const json& value, InlayHintParams& out);

struct InlayHint {
  Position position;
  std::string label;
  std::optional<MarkupContent> tooltip;
  std::optional<bool> paddingLeft;
  bool operator==(const InlayHint&) const = default;
};
void to_json(json& value, const InlayHint& in);
void from_json(const json& value, InlayHint& out);

}  // namespace heddle::lsp
