// CMakeVariables: the variables of a run through CMake's commands, with values that are not known.
//
// A value that is not known is a character that no text has (kUnknownValue), so what is put together with it
// is not known either. What is kept is bounded: beyond that nothing is set any more.
//
// Threading: one thread at a time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compile/build_checks.h"
#include "analysis/compile/cmake_text.h"

namespace heddle {

constexpr char kUnknownValue = '\x01';

inline bool isKnownValue(const std::string& value) {
  return value.find(kUnknownValue) == std::string::npos;
}

class CMakeVariables {
 public:
  CMakeVariables();

  /// Null: it is not defined.
  const std::string* find(const std::string& name) const;
  void set(const std::string& name, const std::string& value);
  void setOutside(const std::string& name, const std::string& value);  // PARENT_SCOPE
  void setCached(const std::string& name, const std::string& value);
  void unset(const std::string& name);
  void beginScope() { scopes_.emplace_back(); }
  void endScope() { scopes_.pop_back(); }

  /// With escapes and variables replaced.
  std::string expand(const std::string& text) const;
  /// What a command is given: lists of bare arguments are several.
  std::vector<CMakeArgument> expandAll(const std::vector<CMakeArgument>& arguments) const;
  /// What `if` finds its arguments to be, which are as written.
  BuildAnswer decide(const std::vector<CMakeArgument>& condition) const;

 private:
  using Scope = std::map<std::string, std::optional<std::string>>;  // nothing: unset

  std::string expandFrom(const std::string& text, size_t& at, char end, int depth) const;
  void keep(Scope& scope, const std::string& name, const std::string& value);

  std::vector<Scope> scopes_;
  std::map<std::string, std::string> cache_;
  size_t kept_ = 0;
};

}  // namespace heddle
