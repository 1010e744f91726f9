// The options that belong to single strategies: inputs of `mcr`, and what can be chosen about `con2colic`.
// They become words behind the name of the strategy, which is how the analysis takes them.
//
// Threading: pure functions.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"

namespace heddle {

/// What CLI11 fills.
struct RawStrategy {
  std::string inputs;
  uint32_t interferences = 0;
  std::vector<std::string> without;
  std::string memoryModel = "c11";
};

void addStrategyOptions(CLI::App& app, RawStrategy& raw);
/// Adds the words to the name of the strategy. Returns one line that says what is wrong, or nothing.
std::optional<std::string> takeStrategyOptions(const RawStrategy& raw, std::string& strategy);
/// The same for the memory model, which belongs to all strategies.
std::optional<std::string> takeMemoryModel(const RawStrategy& raw, MemoryModelKind& model);
void addMemoryModel(CLI::App& app, RawStrategy& raw);

}  // namespace heddle
