// Settings: what a user may set in the editor, from initializationOptions and
// workspace/didChangeConfiguration.
//
//   {"budget": "10s" | 2000, "workers": 2, "strategy": "forest", "entry": "main", "properties": ["assert"],
//   "trigger": "onChange"}
//
// either directly or under "heddle". Unknown names are ignored, because clients send their own along; a bad
// value keeps what was set before and is told to the user.
//
// Threading: pure functions.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"
#include "protocol/json.h"

namespace heddle {

enum class Trigger : uint8_t { OnChange, OnSave, Never };

struct Settings {
  Options options;
  std::chrono::milliseconds budget{10'000};  // 0: none
  Trigger trigger = Trigger::OnChange;       // opening a file counts as a save
};

/// `before` with what `value` sets. `problems`: one line each, naming the setting and what it takes.
Settings readSettings(const Settings& before, const lsp::json& value, std::vector<std::string>& problems);

}  // namespace heddle
