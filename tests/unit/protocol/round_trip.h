// The one way in which the tests of this folder turn structs into JSON and back.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "protocol/decode.h"

namespace heddle::lsp {

/// Valid JSON only, for tests.
inline json J(const std::string& text) {
  return json::parse(text);
}

template <class T>
T mustDecode(const json& value) {
  Decoded<T> decoded = decode<T>(value, "test");
  if (const auto* error = std::get_if<1>(&decoded))
    ADD_FAILURE() << error->message << "\nin " << value.dump();
  return decoded.index() == 0 ? std::get<0>(std::move(decoded)) : T{};
}

template <class T>
std::string decodeFailure(const json& value) {
  const Decoded<T> decoded = decode<T>(value, "test");
  return decoded.index() == 1 ? std::get<1>(decoded).message : "(decoded)";
}

/// `value` prints as exactly `text`, and `text` reads as `value`, also when it has unknown members.
template <class T>
void expectRoundTrip(const T& value, const std::string& text) {
  const json expected = J(text);
  EXPECT_EQ(writeValue(value), expected) << writeValue(value).dump();
  EXPECT_TRUE(mustDecode<T>(expected) == value) << text;
  if (!expected.is_object()) return;
  json more = expected;
  more["someFutureMember"] = {{"x", 1}};
  EXPECT_TRUE(mustDecode<T>(more) == value) << "with an unknown member: " << text;
}

/// Each of the members is needed, and the message names its absence.
template <class T>
void expectRequired(const std::string& text, std::initializer_list<const char*> members) {
  for (const char* member : members) {
    json value = J(text);
    ASSERT_EQ(value.erase(member), 1u) << member;
    EXPECT_NE(decodeFailure<T>(value).find(member), std::string::npos)
        << member << ": " << decodeFailure<T>(value);
  }
}

/// Each of the members reads the same when it is null and when it is absent.
template <class T>
void expectOptional(const std::string& text, std::initializer_list<const char*> members) {
  for (const char* member : members) {
    json absent = J(text);
    ASSERT_EQ(absent.erase(member), 1u) << member;
    json null = absent;
    null[member] = nullptr;
    EXPECT_TRUE(mustDecode<T>(absent) == mustDecode<T>(null)) << member;
    EXPECT_FALSE(mustDecode<T>(absent) == mustDecode<T>(J(text))) << member;
    EXPECT_FALSE(writeValue(mustDecode<T>(null)).contains(member)) << member;
  }
}

}  // namespace heddle::lsp
