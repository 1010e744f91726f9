// The arguments of a request, or what is wrong with them.
//
// Threading: pure.
#pragma once

#include "protocol/dap.h"
#include "protocol/decode.h"

namespace heddle::dap {

template <class T>
std::variant<T, std::string> argumentsOf(const Request& request) {
  lsp::Decoded<T> decoded =
      lsp::decode<T>(request.arguments.is_null() ? json::object() : request.arguments, request.command);
  if (auto* error = std::get_if<lsp::ResponseError>(&decoded)) return error->message;
  return std::get<T>(std::move(decoded));
}

}  // namespace heddle::dap

/// Defines `name`, or returns the problem.
#define HEDDLE_DAP_ARGUMENTS(Type, name)                                     \
  auto name##Decoded = argumentsOf<Type>(request);                           \
  if (auto* wrong = std::get_if<std::string>(&name##Decoded)) return *wrong; \
  const Type& name = std::get<Type>(name##Decoded)
