// Property: what is asked of a program, and so what a finding violates. This header has the only table of
// their names; the command line, settings, suppressions, JSON, SARIF and diagnostics ("heddle-" and the
// name) use it.
//
// Threading: constants and pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>

namespace heddle {

/// In the order in which reports list them.
enum class Property : uint8_t {
  Assert,
  Atomicity,
  Deadlock,
  Memory,
  Misuse,
  Overflow,
  Race,
  Uninitialized,
  Volatile
};

struct PropertyInfo {
  Property property;
  const char* name;
  bool byDefault;        // looked for unless the user says otherwise
  bool isWarning;        // it may be meant, so no verdict depends on it
  const char* ruleName;  // in SARIF
  const char* ruleText;  // one sentence
};

/// In the order in which people read them.
inline constexpr std::array<PropertyInfo, 9> kProperties = {{
    {Property::Assert, "assert", true, false, "AssertionFailure",
     "An assertion can fail on some schedule with some inputs."},
    {Property::Race, "race", true, false, "DataRace",
     "Two threads access the same memory, at least one writes, and nothing orders them."},
    {Property::Volatile, "volatile", true, false, "VolatileAccess",
     "Two threads access the same volatile object, at least one writes, and nothing orders them."},
    {Property::Deadlock, "deadlock", true, false, "Deadlock", "Some threads can never go on."},
    {Property::Memory, "memory", true, false, "MemoryError",
     "A null or wild pointer, an access out of bounds or after free, or a double free."},
    {Property::Misuse, "misuse", true, false, "ApiMisuse",
     "A call that the POSIX thread functions do not allow."},
    {Property::Uninitialized, "uninitialized", true, false, "UninitializedValue",
     "A value that was never written decides what happens."},
    {Property::Atomicity, "atomicity", true, true, "LostUpdate",
     "Another thread's write between a read and a write that depends on it can be lost."},
    {Property::Overflow, "overflow", false, false, "SignedOverflow", "A signed integer overflows."},
}};

constexpr const PropertyInfo& infoOf(Property property) {
  for (const PropertyInfo& info : kProperties)
    if (info.property == property) return info;
  return kProperties.front();
}

constexpr const char* toString(Property property) {
  return infoOf(property).name;
}

constexpr std::optional<Property> parseProperty(std::string_view name) {
  for (const PropertyInfo& info : kProperties)
    if (name == info.name) return info.property;
  return std::nullopt;
}

inline std::set<Property> defaultProperties() {
  std::set<Property> properties;
  for (const PropertyInfo& info : kProperties)
    if (info.byDefault) properties.insert(info.property);
  return properties;
}

/// "assert, race, …"
inline std::string propertyNames() {
  std::string names;
  for (const PropertyInfo& info : kProperties) names += (names.empty() ? "" : ", ") + std::string(info.name);
  return names;
}

/// "heddle-race": the code of diagnostics and the rule of SARIF.
inline std::string codeOf(Property property) {
  return std::string("heddle-") + toString(property);
}

inline std::ostream& operator<<(std::ostream& out, Property property) {
  return out << toString(property);
}

}  // namespace heddle
