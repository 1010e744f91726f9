#include "protocol/jsonrpc.h"

#include "protocol/decode.h"
#include "protocol/field.h"

namespace heddle::lsp {
namespace {

std::optional<RequestId> idOf(const json& message) {
  const auto it = message.find("id");
  if (it == message.end()) return std::nullopt;
  if (it->is_string()) return RequestId{it->get<std::string>()};
  if (std::optional<int64_t> n = integerOf(*it)) return RequestId{*n};
  return std::nullopt;
}

Message sortCall(json& message, std::optional<RequestId> id) {
  const json& method = message["method"];
  if (!method.is_string()) return InvalidMessage{std::move(id), "method is not a string"};
  if (message.contains("id") && !id)
    return InvalidMessage{std::nullopt, "id is neither an integer nor a string"};
  json params;
  if (auto it = message.find("params"); it != message.end()) params = std::move(*it);
  if (!params.is_null() && !params.is_structured()) {
    return InvalidMessage{std::move(id), "params is neither an object nor an array"};
  }
  auto name = method.get<std::string>();
  if (id) return RequestMessage{std::move(*id), std::move(name), std::move(params)};
  return NotificationMessage{std::move(name), std::move(params)};
}

Message sortResponse(json& message, std::optional<RequestId> id) {
  ResponseMessage response;
  response.id = std::move(id);
  if (auto it = message.find("error"); it != message.end() && !it->is_null()) {
    // An error that does not decode is still an error: either way an error is the outcome.
    const Decoded<ResponseError> decoded = decode<ResponseError>(*it, "an error response");
    response.outcome = std::visit([](const ResponseError& error) { return error; }, decoded);
  } else if (auto result = message.find("result"); result != message.end()) {
    response.outcome = std::move(*result);
  }
  return response;
}

json envelope() {
  json message = json::object();
  message["jsonrpc"] = "2.0";
  return message;
}

}  // namespace

void to_json(json& value, const RequestId& in) {
  value = writeIdentifier(in.value);
}
void from_json(const json& value, RequestId& out) {
  out.value = readIdentifier(value);
}

std::string toString(const RequestId& id) {
  return printJson(writeIdentifier(id.value));
}

void to_json(json& value, ErrorCode in) {
  value = static_cast<int32_t>(in);
}
void from_json(const json& value, ErrorCode& out) {
  // Servers and clients define codes of their own: every integer is one.
  int32_t code = 0;
  readValue(value, code);
  out = static_cast<ErrorCode>(code);
}

HEDDLE_LSP_FIELDS(ResponseError, code, message, data)

Message sortMessage(json&& value) {
  if (!value.is_object()) return InvalidMessage{std::nullopt, "not an object"};
  std::optional<RequestId> id = idOf(value);
  const auto version = value.find("jsonrpc");
  if (version == value.end() || *version != "2.0")
    return InvalidMessage{std::move(id), "jsonrpc is not \"2.0\""};
  if (value.contains("method")) return sortCall(value, std::move(id));
  if (value.contains("result") || value.contains("error")) return sortResponse(value, std::move(id));
  return InvalidMessage{std::move(id), "neither method, result nor error"};
}

json makeRequest(const RequestId& id, std::string_view method, json params) {
  json message = makeNotification(method, std::move(params));
  message["id"] = id;
  return message;
}

json makeNotification(std::string_view method, json params) {
  json message = envelope();
  message["method"] = std::string(method);
  if (!params.is_null()) message["params"] = std::move(params);
  return message;
}

json makeResult(const RequestId& id, json result) {
  json message = envelope();
  message["id"] = id;
  message["result"] = std::move(result);
  return message;
}

json makeError(const std::optional<RequestId>& id, const ResponseError& error) {
  json message = envelope();
  message["id"] = writeValue(id);
  message["error"] = error;
  return message;
}

}  // namespace heddle::lsp
