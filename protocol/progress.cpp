#include "protocol/progress.h"

#include "protocol/field.h"

namespace heddle::lsp {

void to_json(json& value, const ProgressToken& in) {
  value = writeIdentifier(in.value);
}
void from_json(const json& value, ProgressToken& out) {
  out.value = readIdentifier(value);
}

HEDDLE_LSP_FIELDS(WorkDoneProgressBegin, title, cancellable, message, percentage)
HEDDLE_LSP_FIELDS(WorkDoneProgressReport, cancellable, message, percentage)
HEDDLE_LSP_FIELDS(WorkDoneProgressEnd, message)

void to_json(json& value, const ProgressParams& in) {
  constexpr const char* kinds[] = {"begin", "report", "end"};  // in the order of the variant
  json payload = std::visit([](const auto& v) { return json(v); }, in.value);
  payload["kind"] = kinds[in.value.index()];
  value = json::object();
  value["token"] = in.token;
  value["value"] = std::move(payload);
}

void from_json(const json& value, ProgressParams& out) {
  requireObject(value);
  readField(value, "token", out.token);
  const json& payload = value.at("value");
  const json& kind = payload.at("kind");
  if (kind == "begin") {
    out.value = payload.get<WorkDoneProgressBegin>();
  } else if (kind == "report") {
    out.value = payload.get<WorkDoneProgressReport>();
  } else if (kind == "end") {
    out.value = payload.get<WorkDoneProgressEnd>();
  } else {
    throwTypeError(kind, "must be begin, report or end");
  }
}

HEDDLE_LSP_FIELDS(WorkDoneProgressCreateParams, token)
HEDDLE_LSP_FIELDS(WorkDoneProgressCancelParams, token)

}  // namespace heddle::lsp
