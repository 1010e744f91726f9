// JSON for the protocol: the one alias, text in and out without exceptions.
//
// parseJson builds the value itself, so that malformed or absurdly nested text is an ordinary answer and
// never an exception or a stack overflow (copying and printing a value recurse by its depth). Free functions,
// any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// With JSON_DIAGNOSTICS, GCC 12 inlines set_parents() and believes that an object is read as an array.
// Include the library through this header only.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Warray-bounds"
#include <nlohmann/json.hpp>
#pragma GCC diagnostic pop

#if !defined(JSON_DIAGNOSTICS) || !JSON_DIAGNOSTICS
#error "Link heddle_protocol: its users must all compile with JSON_DIAGNOSTICS=1"
#endif

namespace heddle::lsp {

using json = nlohmann::json;

struct JsonError {
  size_t offset = 0;  // byte at which reading stopped
  std::string message;
};

/// Deeper values are refused. No LSP message comes near.
inline constexpr size_t maxJsonDepth = 256;

std::variant<json, JsonError> parseJson(std::string_view text);

/// Compact text. Bytes that are not UTF-8 (they can stand in a source file) become U+FFFD.
std::string printJson(const json& value);

/// The member `name` of `object`, if both exist and the member is a string.
std::optional<std::string> textMember(const json& object, const char* name);

}  // namespace heddle::lsp
