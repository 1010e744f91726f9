// Generated harnesses of one text, and what exploring one shows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "server/engine.h"
#include "server/source/generated_harness.h"

namespace heddle::testing {

inline Snapshot harnessSnapshot(const std::string& text) {
  Snapshot snapshot;
  snapshot.path = "/harness/file.c";
  snapshot.text = text;
  snapshot.command = commandFromFlags(snapshot.path, {});
  return snapshot;
}

inline HarnessPlan harnessesOf(const std::string& text) {
  return pipelineEngine().harnesses(harnessSnapshot(text), "main", Budget{});
}

inline const GeneratedHarness* harnessNamed(const HarnessPlan& plan, const std::string& title) {
  const auto found = std::find_if(plan.harnesses.begin(), plan.harnesses.end(),
                                  [&](const GeneratedHarness& harness) { return harness.title == title; });
  return found == plan.harnesses.end() ? nullptr : &*found;
}

inline Report exploredIn(const std::string& text, const std::string& title) {
  Options options;
  options.harness = title;
  return pipelineEngine().analyze(harnessSnapshot(text), options, Budget().withSteps(200'000), Observer{});
}

/// Of slips of the kinds: "line value callee other" each; lines are those behind the first `before`.
inline std::string slipsBehind(const std::string& text, std::initializer_list<ValueSlip::Kind> kinds,
                               uint32_t before = 0) {
  std::string found;
  for (const ValueSlip& slip : surveyOf(harnessSnapshot(text)).valueSlips) {
    if (std::find(kinds.begin(), kinds.end(), slip.kind) == kinds.end()) continue;
    found += std::to_string(slip.line - before) + " " + slip.value + " " + slip.callee;
    found += slip.other == 0 ? "\n" : " " + std::to_string(slip.other - before) + "\n";
  }
  return found;
}

}  // namespace heddle::testing
