// What a finding is in the terms of verification competitions, which tell more kinds of failures apart than
// Heddle's properties.
//
// Threading: pure functions.
#pragma once

#include <string_view>

#include "analysis/model/failure_text.h"
#include "analysis/report.h"

namespace heddle {

/// A call of reach_error, or a failed check of __VERIFIER_assert, which stands for one.
inline bool isErrorLocation(const Finding& finding) {
  return finding.kind == Property::Assert &&
         (finding.message.starts_with(kErrorLocationText) || finding.message.starts_with(kCheckText));
}

/// Memory that is still allocated when the program ends.
inline bool isLeak(const Finding& finding) {
  return finding.kind == Property::Memory && finding.message.starts_with(kLeakText);
}

/// Memory that is freed twice, or was never allocated.
inline bool isWrongFree(const Finding& finding) {
  const std::string_view message = finding.message;
  return finding.kind == Property::Memory &&
         (message.starts_with(kDoubleFreeText) || message.starts_with(kFreeText) ||
          message.starts_with(kUnmapText));
}

}  // namespace heddle
