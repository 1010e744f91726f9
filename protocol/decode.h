// decode<T>: JSON into a protocol struct, or the error to answer with. The only place that catches nlohmann
// exceptions.
//
//   decode<HoverParams>(params, "textDocument/hover")
//     InvalidParams: failed to decode textDocument/hover: (/position/line) type must be integer, but is
//     string
#pragma once

#include <string_view>
#include <utility>
#include <variant>

#include "protocol/field.h"
#include "protocol/jsonrpc.h"

namespace heddle::lsp {

template <class T>
using Decoded = std::variant<T, ResponseError>;

/// The InvalidParams for an nlohmann message: without its internal error number, with the method's name.
ResponseError decodeError(std::string_view method, std::string_view what);

/// For methods without parameters: anything decodes.
struct NoParams {
  bool operator==(const NoParams&) const = default;
};
inline void to_json(json& value, const NoParams&) {
  value = json::object();
}
inline void from_json(const json&, NoParams&) {}

template <class T>
Decoded<T> decode(const json& value, std::string_view method) {
  try {
    T out{};
    readValue(value, out);
    return Decoded<T>(std::in_place_index<0>, std::move(out));
  } catch (const json::exception& e) {
    return Decoded<T>(std::in_place_index<1>, decodeError(method, e.what()));
  }
}

}  // namespace heddle::lsp
