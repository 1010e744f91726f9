#include "protocol/field.h"

#include <cmath>

namespace heddle::lsp {

void throwTypeError(const json& where, const std::string& message) {
  constexpr int wrongType = 302;  // the library's number for it
  throw json::type_error::create(wrongType, message, &where);
}

void requireObject(const json& value) {
  if (value.is_object() || (value.is_array() && value.empty())) return;
  throwTypeError(value, std::string("type must be object, but is ") + value.type_name());
}

std::optional<int64_t> integerOf(const json& value) {
  constexpr double limit = 9007199254740992.0;  // 2^53: beyond, a double does not tell integers apart
  if (value.is_number_unsigned()) {
    const auto n = value.get<uint64_t>();
    if (n > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
    return static_cast<int64_t>(n);
  }
  if (value.is_number_integer()) return value.get<int64_t>();
  if (value.is_number_float()) {
    const auto d = value.get<double>();
    if (std::abs(d) <= limit && std::trunc(d) == d) return static_cast<int64_t>(d);
  }
  return std::nullopt;
}

int64_t readInteger(const json& value, int64_t least, int64_t most) {
  if (!value.is_number())
    throwTypeError(value, std::string("type must be integer, but is ") + value.type_name());
  const std::optional<int64_t> n = integerOf(value);
  if (!n || *n < least || *n > most) {
    throwTypeError(value, "must be an integer from " + std::to_string(least) + " to " + std::to_string(most) +
                              ", but is " + printJson(value));
  }
  return *n;
}

std::variant<int64_t, std::string> readIdentifier(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (std::optional<int64_t> n = integerOf(value)) return *n;
  throwTypeError(value, std::string("must be an integer or a string, but is ") + value.type_name());
}

json writeIdentifier(const std::variant<int64_t, std::string>& value) {
  return std::visit([](const auto& v) { return json(v); }, value);
}

const json& valueAt(const json& value, std::string_view path) {
  static const json missing;
  const json* at = &value;
  while (!path.empty()) {
    const std::string_view key = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), key.size() + 1));
    const auto it = at->find(std::string(key));
    if (it == at->end()) return missing;
    at = &*it;
  }
  return *at;
}

void setAt(json& object, std::string_view path, json value) {
  json* at = &object;
  while (!path.empty()) {
    const std::string_view key = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), key.size() + 1));
    at = &(*at)[std::string(key)];
  }
  *at = std::move(value);
}

}  // namespace heddle::lsp
