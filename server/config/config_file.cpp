#include "server/config/config_file.h"

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "server/state/settings.h"

namespace heddle {
namespace {

using lsp::json;
namespace fs = std::filesystem;

constexpr uintmax_t kLargest = 1U << 20;

const std::set<std::string> kNames = {"budget",      "saveBudget", "workers", "strategy", "entry",
                                      "properties",  "trigger",    "unroll",  "baseline", "inlayHints",
                                      "memoryLimit", "noSignals",  "args",    "unknown",  "memoryModel",
                                      "environment", "signals"};

ConfigProblem problemAt(const YAML::Mark& mark, std::string message) {
  const auto number = [](int n) { return n < 0 ? 0U : static_cast<uint32_t>(n); };
  return {number(mark.line), number(mark.column), std::move(message)};
}

/// Scalars are what they look like: a number, true or false, else text. Quoted ones are text.
json valueOf(const YAML::Node& node) {
  if (node.IsSequence()) {
    json list = json::array();
    for (const YAML::Node& item : node) list.push_back(valueOf(item));
    return list;
  }
  if (!node.IsScalar()) return nullptr;
  const std::string text = node.Scalar();
  if (node.Tag() != "!") {
    if (text == "true" || text == "false") return text == "true";
    int64_t number = 0;
    if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos &&
        YAML::convert<int64_t>::decode(node, number))
      return number;
  }
  return text;
}

void readInto(Config& config, const YAML::Node& root) {
  if (root.IsNull()) return;
  if (!root.IsMap()) {
    config.problems.push_back(problemAt(root.Mark(), "write settings as `name: value`, one a line"));
    return;
  }
  for (const auto& entry : root) {
    const std::string name = entry.first.IsScalar() ? entry.first.Scalar() : "";
    if (!kNames.contains(name)) {
      config.problems.push_back(problemAt(entry.first.Mark(), "unknown setting '" + name + "'"));
    } else if (name == "baseline") {
      if (entry.second.IsScalar())
        config.baseline = entry.second.Scalar();
      else
        config.problems.push_back(problemAt(entry.second.Mark(), "setting 'baseline': takes a path"));
    } else {
      const json value = valueOf(entry.second);
      std::vector<std::string> wrong;
      readSettings(Settings{}, {{name, value}}, wrong);
      if (value.is_null()) wrong.push_back("setting '" + name + "': has no value");
      for (const std::string& message : wrong)
        config.problems.push_back(problemAt(entry.second.Mark(), message));
      if (wrong.empty()) config.settings[name] = value;
    }
  }
}

std::optional<std::string> readFile(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kLargest || error)
    return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  return stream.bad() ? std::nullopt : std::optional(text.str());
}

std::optional<ConfigFile> load(const fs::path& path, const std::map<std::string, std::string>& unsaved) {
  if (const auto open = unsaved.find(path.string()); open != unsaved.end())
    return ConfigFile{path.string(), parseConfig(open->second)};
  if (const std::optional<std::string> text = readFile(path))
    return ConfigFile{path.string(), parseConfig(*text)};
  return std::nullopt;
}

}  // namespace

Config parseConfig(std::string_view text) {
  Config config;
  try {
    readInto(config, YAML::Load(std::string(text)));
  } catch (const YAML::Exception& error) {
    config.problems.push_back(problemAt(error.mark, error.msg));
  }
  return config;
}

Configs findConfigs(const std::string& sourcePath, const std::string& userFolder,
                    const std::map<std::string, std::string>& unsaved) {
  Configs configs;
  for (fs::path folder = fs::path(sourcePath).parent_path(); !configs.project;
       folder = folder.parent_path()) {
    configs.project = load(folder / kConfigName, unsaved);
    if (folder == folder.parent_path()) break;
  }
  if (!userFolder.empty()) configs.user = load(fs::path(userFolder) / "heddle" / "config.yaml", unsaved);
  return configs;
}

std::string modelFolderOf(const Configs& configs) {
  if (!configs.project) return "";
  const fs::path folder = fs::path(configs.project->path).parent_path() / "models";
  std::error_code problem;
  return fs::is_directory(folder, problem) ? folder.string() : "";
}

Baseline readBaselineFile(const Configs& configs, const std::string& sourcePath, std::string& problem) {
  problem.clear();
  if (!configs.project) {
    for (fs::path folder = fs::path(sourcePath).parent_path();; folder = folder.parent_path()) {
      if (const std::optional<std::string> text = readFile(folder / kBaselineName))
        return parseBaseline(*text, problem);
      if (folder == folder.parent_path()) return {};
    }
  }
  const fs::path folder = fs::path(configs.project->path).parent_path();
  const fs::path path = folder / configs.project->config.baseline.value_or(kBaselineName);
  const std::optional<std::string> text = readFile(path);
  if (!text) {
    if (configs.project->config.baseline) problem = path.string() + ": the baseline cannot be read";
    return {};
  }
  return parseBaseline(*text, problem);
}

}  // namespace heddle
