// textDocument/inlayHint. Plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/base.h"

namespace heddle::lsp {

struct InlayHintParams {
  TextDocumentIdentifier textDocument;
  Range range;
  bool operator==(const InlayHintParams&) const = default;
};
void to_json(json& value, const InlayHintParams& in);
void from_json(const json& value, InlayHintParams& out);

struct InlayHintLabelPart {
  std::string value;
  std::optional<std::string> tooltip;
  std::optional<Location> location;
  bool operator==(const InlayHintLabelPart&) const = default;
};
void to_json(json& value, const InlayHintLabelPart& in);
void from_json(const json& value, InlayHintLabelPart& out);

struct InlayHint {
  Position position;
  std::vector<InlayHintLabelPart> label;
  std::optional<std::string> tooltip;
  std::optional<bool> paddingLeft;
  bool operator==(const InlayHint&) const = default;
};
void to_json(json& value, const InlayHint& in);
void from_json(const json& value, InlayHint& out);

}  // namespace heddle::lsp
