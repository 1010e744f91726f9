// JSON-RPC 2.0: identifiers, errors, and the sorting of a JSON value into request, notification or response.
//
// Plain data without state; any thread. LSP's own restrictions hold: an id is an integer or a string.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/json.h"

namespace heddle::lsp {

enum class ErrorCode : int32_t {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  UnknownErrorCode = -32001,
  RequestFailed = -32803,  // syntactically right, but it failed
  ServerCancelled = -32802,
  ContentModified = -32801,   // the document changed under the request
  RequestCancelled = -32800,  // the client asked for it
};

void to_json(json& value, ErrorCode in);
void from_json(const json& value, ErrorCode& out);

struct RequestId {
  std::variant<int64_t, std::string> value = int64_t{0};
  auto operator<=>(const RequestId&) const = default;
};
void to_json(json& value, const RequestId& in);
void from_json(const json& value, RequestId& out);
/// As printed in logs: 7 or "abc".
std::string toString(const RequestId& id);

struct ResponseError {
  ErrorCode code = ErrorCode::InternalError;
  std::string message;
  json data;  // null: absent
  bool operator==(const ResponseError&) const = default;
};
void to_json(json& value, const ResponseError& in);
void from_json(const json& value, ResponseError& out);

struct RequestMessage {
  RequestId id;
  std::string method;
  json params;  // null: absent
};

struct NotificationMessage {
  std::string method;
  json params;  // null: absent
};

struct ResponseMessage {
  std::optional<RequestId> id;  // absent: the peer could not read the id of what it answers
  std::variant<json, ResponseError> outcome;
};

/// A value that is none of these. `id`: that of the request that it was meant to be, if it could be read.
struct InvalidMessage {
  std::optional<RequestId> id;
  std::string reason;
};

using Message = std::variant<RequestMessage, NotificationMessage, ResponseMessage, InvalidMessage>;

/// Never throws. Batches (arrays) are not handled here.
Message sortMessage(json&& value);

json makeRequest(const RequestId& id, std::string_view method, json params);
json makeNotification(std::string_view method, json params);
json makeResult(const RequestId& id, json result);
/// Without an id the error answers something whose id could not be read: id is null.
json makeError(const std::optional<RequestId>& id, const ResponseError& error);

}  // namespace heddle::lsp
