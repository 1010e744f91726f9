// Reading and writing of struct members, for the .cpp files of this folder: each struct names its fields
// once.
//
//   HEDDLE_LSP_FIELDS(Hover, contents, range)      defines to_json and from_json of Hover
//
// std::optional and json members: absent and null read the same, absent ones are not written. Integers must
// be integral and in range (a JSON 3.0 is 3, as Lua clients may send). Errors are nlohmann exceptions, which
// decode() turns into values; nothing here may be called outside of it with unchecked input.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "protocol/json.h"

namespace heddle::lsp {

[[noreturn]] void throwTypeError(const json& where, const std::string& message);

/// Throws unless `value` is an object, or the empty array that some Lua encoders make of an empty table.
void requireObject(const json& value);

/// The integer that `value` is, also when it is written as a float without a fraction.
std::optional<int64_t> integerOf(const json& value);
int64_t readInteger(const json& value, int64_t least, int64_t most);

template <class T>
concept JsonInteger = std::integral<T> && !std::same_as<T, bool> && sizeof(T) <= 8;

template <class T>
void readValue(const json& value, T& out) {
  value.get_to(out);
}

template <JsonInteger T>
void readValue(const json& value, T& out) {
  constexpr int64_t most = std::is_same_v<T, uint64_t> ? std::numeric_limits<int64_t>::max()
                                                       : static_cast<int64_t>(std::numeric_limits<T>::max());
  out = static_cast<T>(readInteger(value, static_cast<int64_t>(std::numeric_limits<T>::min()), most));
}

inline void readValue(const json& value, json& out) {
  out = value;
}

template <class T>
void readValue(const json& value, std::optional<T>& out);
template <class T>
void readValue(const json& value, std::vector<T>& out);
template <class T>
void readValue(const json& value, std::map<std::string, T>& out);

template <class T>
void readValue(const json& value, std::optional<T>& out) {
  out.reset();
  if (!value.is_null()) readValue(value, out.emplace());
}

template <class T>
void readValue(const json& value, std::vector<T>& out) {
  if (!value.is_array())
    throwTypeError(value, std::string("type must be array, but is ") + value.type_name());
  out.clear();
  out.reserve(value.size());
  for (const json& element : value) readValue(element, out.emplace_back());
}

template <class T>
void readValue(const json& value, std::map<std::string, T>& out) {
  requireObject(value);
  out.clear();
  for (auto it = value.begin(); value.is_object() && it != value.end(); ++it) readValue(*it, out[it.key()]);
}

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
json writeValue(const T& value) {
  return json(value);
}

template <class T>
json writeValue(const std::optional<T>& value);
template <class T>
json writeValue(const std::vector<T>& value);
template <class T>
json writeValue(const std::map<std::string, T>& value);

template <class T>
json writeValue(const std::optional<T>& value) {
  return value ? writeValue(*value) : json();
}

template <class T>
json writeValue(const std::vector<T>& value) {
  json out = json::array();
  for (const T& element : value) out.push_back(writeValue(element));
  return out;
}

template <class T>
json writeValue(const std::map<std::string, T>& value) {
  json out = json::object();
  for (const auto& [key, element] : value) out[key] = writeValue(element);
  return out;
}

template <class T>
void readField(const json& object, const char* key, T& out) {
  if constexpr (IsOptional<T>::value || std::is_same_v<T, json>) {
    out = T();
    if (auto it = object.find(key); it != object.end() && !it->is_null()) readValue(*it, out);
  } else {
    readValue(object.at(key), out);
  }
}

template <class T>
void writeField(json& object, const char* key, const T& value) {
  json written = writeValue(value);
  if constexpr (IsOptional<T>::value || std::is_same_v<T, json>) {
    if (written.is_null()) return;
  }
  object[key] = std::move(written);
}

/// An identifier on the wire: an integer or a string.
std::variant<int64_t, std::string> readIdentifier(const json& value);
json writeIdentifier(const std::variant<int64_t, std::string>& value);

/// The value at a path of object keys ("textDocument/hover"), or null when one of them is missing.
const json& valueAt(const json& value, std::string_view path);
/// Makes the objects on the way. They must be objects or not exist.
void setAt(json& object, std::string_view path, json value);

}  // namespace heddle::lsp

#define HEDDLE_LSP_READ(name) readField(value, #name, out.name);
#define HEDDLE_LSP_WRITE(name) writeField(value, #name, in.name);
#define HEDDLE_LSP_FIELDS(Type, ...)                                         \
  void to_json(json& value, const Type& in) {                                \
    value = json::object();                                                  \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(HEDDLE_LSP_WRITE, __VA_ARGS__)) \
  }                                                                          \
  void from_json(const json& value, Type& out) {                             \
    requireObject(value);                                                    \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(HEDDLE_LSP_READ, __VA_ARGS__))  \
  }

/// An enum that is an integer on the wire, from `first` to `last` without gaps; others do not decode.
#define HEDDLE_LSP_INT_ENUM(Type, first, last)                                                    \
  void to_json(json& value, Type in) {                                                            \
    value = static_cast<int>(in);                                                                 \
  }                                                                                               \
  void from_json(const json& value, Type& out) {                                                  \
    out = static_cast<Type>(                                                                      \
        readInteger(value, static_cast<int64_t>(Type::first), static_cast<int64_t>(Type::last))); \
  }
