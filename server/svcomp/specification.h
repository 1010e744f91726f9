// The property files of SV-COMP (https://sv-comp.sosy-lab.org, rules, "Properties"): one CHECK per line,
// which together name one of the competition's properties.
//
// Threading: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "analysis/property.h"

namespace heddle::svcomp {

enum class Specification : uint8_t {
  UnreachCall,  // reach_error is never called
  NoDataRace,
  MemSafety,   // valid-free, valid-deref and valid-memtrack
  MemCleanup,  // all memory is freed at the end
  NoOverflow,  // of signed integers
};

/// "unreach-call", …: what the competition calls it, and what stands behind "false".
const char* toString(Specification specification);

/// What Heddle is asked for it.
std::set<Property> propertiesOf(Specification specification);

/// The specification that a property file asks for; else one line in `problem` that says what to give.
std::optional<Specification> parseSpecification(std::string_view text, std::string& problem);

/// The CHECK lines as witnesses repeat them: without comments, blanks and line ends between them made one
/// blank.
std::string checksIn(std::string_view text);

}  // namespace heddle::svcomp
