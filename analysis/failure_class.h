// Failure classes: what a finding is in the terms of verification competitions. They distinguish more kinds
// of failures than Heddle's properties do.
//
// Threading: pure functions.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "analysis/model/failure_text.h"
#include "analysis/report.h"

namespace heddle {

/// The creation of a thread has failed before.
inline bool hasFailedCreation(const Finding& finding) {
  for (const InputValue& input : finding.inputs)
    if (input.name == kCreationFails && input.value != 0) return true;
  return false;
}

/// The finding says that it needs an allocation, or the creation of a thread, that fails.
inline bool needsFailedAllocation(const Finding& finding) {
  for (const std::string& assumed : finding.assumes)
    if (assumed == kFailedAllocation || assumed == kFailedCreation) return true;
  return false;
}

/// Lets it say so, once, where one has failed.
inline void assumeFailedAllocation(Finding& finding) {
  const bool hasFailed = std::any_of(finding.inputs.begin(), finding.inputs.end(),
                                     [](const InputValue& input) { return input.isRefused; });
  if (!hasFailed || needsFailedAllocation(finding)) return;
  finding.assumes.emplace_back(hasFailedCreation(finding) ? kFailedCreation : kFailedAllocation);
}

/// The finding is a call of reach_error, or a failed check of __VERIFIER_assert, which counts as one.
inline bool isErrorLocation(const Finding& finding) {
  return finding.kind == Property::Assert &&
         (finding.message.starts_with(kErrorLocationText) || finding.message.starts_with(kCheckText));
}

/// The finding is memory that is still allocated when the program ends.
inline bool isLeak(const Finding& finding) {
  return finding.kind == Property::Memory && finding.message.starts_with(kLeakText);
}

/// The finding is memory that is freed twice, or memory that was never allocated and is freed or unmapped.
inline bool isWrongFree(const Finding& finding) {
  const std::string_view message = finding.message;
  return finding.kind == Property::Memory &&
         (message.starts_with(kDoubleFreeText) || message.starts_with(kFreeText) ||
          message.starts_with(kUnmapText));
}

/// The finding is an index beyond an array behind which there is more of the same object: the result is
/// undefined (C11 6.5.6), and the memory is valid.
inline bool isInnerIndex(const Finding& finding) {
  return finding.kind == Property::Memory && finding.message.starts_with(kInnerIndexText);
}

}  // namespace heddle
