// Generated harnesses of one text, and what exploring one shows.
#pragma once

#include <algorithm>
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

}  // namespace heddle::testing
