// textDocument/codeLens and codeLens/resolve. Plain data.
#pragma once

#include <optional>

#include "protocol/base.h"
#include "protocol/progress.h"

namespace heddle::lsp {

struct CodeLensParams {
  TextDocumentIdentifier textDocument;
  std::optional<ProgressToken> workDoneToken;
  bool operator==(const CodeLensParams&) const = default;
};
void to_json(json& value, const CodeLensParams& in);
void from_json(const json& value, CodeLensParams& out);

struct CodeLens {
  Range range;  // within one line
  std::optional<Command> command;
  json data;  // null: absent
  bool operator==(const CodeLens&) const = default;
};
void to_json(json& value, const CodeLens& in);
void from_json(const json& value, CodeLens& out);

}  // namespace heddle::lsp
