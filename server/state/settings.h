// Settings: what a user may set in the editor, from initializationOptions and
// workspace/didChangeConfiguration.
//
//   {"budget": "10s" | 2000, "saveBudget": "60s", "workers": 2, "strategy": "forest", "entry": "main",
//   "memoryModel": "c11",
//   "properties": ["assert"], "trigger": "onIdle", "unroll": 0,
//   "memoryLimit": 4096, "inlayHints": false, "signals": "none",
//   "unknown": "arguments" | ["arguments", "log_line=nothing"]}
//
// either directly or under "heddle". Unknown names are ignored, because clients send their own along; a bad
// value keeps what was set before, and the user is told.
//
// Threading: pure functions.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "analysis/pipeline/pipeline.h"
#include "protocol/json.h"

namespace heddle {

/// When a file is verified by itself. OnIdle: after a pause in typing, and on opening and saving. OnSave: on
/// opening and saving. Manual and Never: only when the user asks for it.
enum class Trigger : uint8_t { OnIdle, OnSave, Manual, Never };

struct Settings {
  Options options;
  Environment environment;
  std::chrono::milliseconds budget{10'000};      // 0: none
  std::chrono::milliseconds saveBudget{60'000};  // after saving, in the background; 0: none
  uint64_t memoryLimit = 4096;                   // of the server, in MB; 0: none
  Trigger trigger = Trigger::OnIdle;             // opening a file counts as a save

  bool inlayHints = false;  // at shared reads

  bool operator==(const Settings&) const = default;

  bool automatic() const { return trigger == Trigger::OnIdle || trigger == Trigger::OnSave; }
};

/// `before` with what `value` sets. `problems`: one line each, naming the setting and what it takes.
Settings readSettings(const Settings& before, const lsp::json& value, std::vector<std::string>& problems);

}  // namespace heddle
