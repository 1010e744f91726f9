// What a report means under the rules of SV-COMP: true, false with the property that is violated, or unknown.
//
// Threading: pure functions.
#pragma once

#include <optional>
#include <string>

#include "analysis/report.h"
#include "server/svcomp/specification.h"

namespace heddle::svcomp {

enum class Answer : uint8_t { True, False, Unknown };

struct Decision {
  Answer answer = Answer::Unknown;
  std::string property;              // False: "unreach-call", "valid-deref", …
  const Finding* finding = nullptr;  // False: its witness, of the report
  std::string why;                   // Unknown: one line
};

/// True only where nothing was left out: what is verified within bounds is unknown. `report` must outlive the
/// result.
Decision decisionOf(const Report& report, Specification specification);

/// "true", "false(no-data-race)", "unknown": as BenchExec reads it.
std::string toString(const Decision& decision);

}  // namespace heddle::svcomp
