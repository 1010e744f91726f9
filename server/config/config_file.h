// Configuration files: `.heddle.yaml` of a project and the user's own `heddle/config.yaml`, both with the
// settings of docs/editors/other.md under their own names.
//
//     budget: 10s
//     properties: [assert, race]
//     baseline: .heddle-baseline
//
// The project's file counts most, then the user's, then what the editor says. Every mistake has a place, so
// that it can be shown as a diagnostic in the file; the valid settings beside it still count.
//
// Threading: parseConfig is pure; findConfigs reads files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json.h"
#include "server/source/suppressions.h"

namespace heddle {

struct ConfigProblem {
  uint32_t line = 0;    // 0-based
  uint32_t column = 0;  // 0-based, bytes
  std::string message;
};

struct Config {
  lsp::json settings = lsp::json::object();  // for readSettings
  std::optional<std::string> baseline;       // path as written
  std::vector<ConfigProblem> problems;
};

/// Never throws; a text that is no YAML is one problem.
Config parseConfig(std::string_view text);

struct ConfigFile {
  std::string path;
  Config config;
};

struct Configs {
  std::optional<ConfigFile> project;  // the nearest `.heddle.yaml` of the file's parents
  std::optional<ConfigFile> user;
};

/// `userFolder`: as $XDG_CONFIG_HOME; empty: no user file. `unsaved`: texts of open documents, by path.
Configs findConfigs(const std::string& sourcePath, const std::string& userFolder,
                    const std::map<std::string, std::string>& unsaved);

/// The folder `models/` beside the project's `.heddle.yaml`, see Environment::modelFolder; empty: there is
/// none.
std::string modelFolderOf(const Configs& configs);

/// The suppressed findings that the project lists: `baseline` of its `.heddle.yaml`, else `.heddle-baseline`
/// beside it, else the nearest `.heddle-baseline` of the source file's parents.
Baseline readBaselineFile(const Configs& configs, const std::string& sourcePath, std::string& problem);

constexpr const char* kBaselineName = ".heddle-baseline";
constexpr const char* kConfigName = ".heddle.yaml";

}  // namespace heddle
