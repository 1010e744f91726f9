#include "server/state/settings.h"

#include "server/driver/cli_options.h"
#include "server/driver/unknown_option.h"

namespace heddle {
namespace {

using lsp::json;

const json* member(const json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::string> readTime(const json& value, std::chrono::milliseconds& out) {
  std::optional<std::chrono::milliseconds> budget;
  if (value.is_string()) budget = parseDuration(value.get_ref<const std::string&>());
  constexpr double kMost = 1e12;
  if (value.is_number() && value.get<double>() >= 0 && value.get<double>() < kMost)
    budget = std::chrono::milliseconds(static_cast<int64_t>(value.get<double>()));
  if (!budget) return "takes a time such as \"10s\" or a number of milliseconds";
  out = *budget;
  return std::nullopt;
}

std::optional<std::string> readBudget(const json& value, Settings& settings) {
  return readTime(value, settings.budget);
}

std::optional<std::string> readSaveBudget(const json& value, Settings& settings) {
  return readTime(value, settings.saveBudget);
}

std::optional<std::string> readUnroll(const json& value, Settings& settings) {
  constexpr double kMost = 1e6;
  if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > kMost)
    return "takes a number from 0 (no bound) to 1000000";
  settings.options.unroll = static_cast<uint32_t>(value.get<double>());
  return std::nullopt;
}

std::optional<std::string> readMemoryLimit(const json& value, Settings& settings) {
  constexpr double kMost = 1e9;
  if (!value.is_number() || value.get<double>() < 0 || value.get<double>() > kMost)
    return "takes a number of megabytes; 0: no limit";
  settings.memoryLimit = static_cast<uint64_t>(value.get<double>());
  return std::nullopt;
}

std::optional<std::string> readWorkers(const json& value, Settings& settings) {
  constexpr int64_t kMost = 1024;
  // Lua clients send 2.0 for 2.
  if (!value.is_number() || value.get<double>() < 1 || value.get<double>() > kMost)
    return "takes a number from 1 to 1024";
  settings.options.workers = static_cast<unsigned>(value.get<double>());
  return std::nullopt;
}

std::optional<std::string> readStrategy(const json& value, Settings& settings) {
  if (!value.is_string()) return "takes the name of a strategy";
  const auto& name = value.get_ref<const std::string&>();
  if (auto problem = problemWithStrategy(name)) return problem;
  settings.options.strategy = name;
  return std::nullopt;
}

std::optional<std::string> readMemoryModel(const json& value, Settings& settings) {
  const auto model = value.is_string() ? parseMemoryModel(value.get_ref<const std::string&>())
                                       : std::optional<MemoryModelKind>();
  if (!model) return "takes \"c11\", \"tso\", \"pso\" or \"sc\"";
  settings.options.memoryModel = *model;
  return std::nullopt;
}

std::optional<std::string> readEntry(const json& value, Settings& settings) {
  if (!value.is_string() || value.get_ref<const std::string&>().empty())
    return "takes the name of a function";
  settings.options.entry = value.get<std::string>();
  return std::nullopt;
}

std::optional<std::string> readProperties(const json& value, Settings& settings) {
  std::vector<std::string> names;
  if (value.is_string()) {
    names.push_back(value.get<std::string>());
  } else if (value.is_array()) {
    for (const json& name : value) {
      if (!name.is_string()) return "takes a list of names";
      names.push_back(name.get<std::string>());
    }
  } else {
    return "takes a list of names";
  }
  return parseProperties(names, settings.options.properties);
}

std::optional<std::string> readTrigger(const json& value, Settings& settings) {
  const std::string name = value.is_string() ? value.get<std::string>() : "";
  if (name == "onIdle" || name == "onChange")
    settings.trigger = Trigger::OnIdle;
  else if (name == "onSave")
    settings.trigger = Trigger::OnSave;
  else if (name == "manual")
    settings.trigger = Trigger::Manual;
  else if (name == "never")
    settings.trigger = Trigger::Never;
  else
    return "takes \"onIdle\", \"onSave\", \"manual\" or \"never\"";
  return std::nullopt;
}

std::optional<std::string> readInlayHints(const json& value, Settings& settings) {
  if (!value.is_boolean()) return "takes true or false";
  settings.inlayHints = value.get<bool>();
  return std::nullopt;
}

std::optional<std::string> readArguments(const json& value, Settings& settings) {
  std::vector<std::string> words;
  if (value.is_string()) {
    words = splitBlanks(value.get_ref<const std::string&>());
  } else if (value.is_array()) {
    for (const json& word : value) {
      if (!word.is_string()) return "takes a text, or a list of texts";
      words.push_back(word.get<std::string>());
    }
  } else if (value.is_number_integer()) {  // `args: 3` in YAML
    words.push_back(std::to_string(value.get<int64_t>()));
  } else {
    return "takes a text, or a list of texts";
  }
  settings.environment.arguments = std::move(words);
  return std::nullopt;
}

std::optional<std::string> readNoSignals(const json& value, Settings& settings) {
  if (!value.is_boolean()) return "takes true or false";
  settings.environment.signals = value.get<bool>() ? Signals::None : Signals::Refused;
  return std::nullopt;
}

std::optional<std::string> readSignals(const json& value, Settings& settings) {
  const auto signals = value.is_string() ? parseSignals(value.get<std::string>()) : std::optional<Signals>();
  if (!signals) return "takes none, threads or refused";
  settings.environment.signals = *signals;
  return std::nullopt;
}

std::optional<std::string> readEnvironment(const json& value, Settings& settings) {
  const auto friendliness =
      value.is_string() ? parseFriendliness(value.get<std::string>()) : std::optional<Friendliness>();
  if (!friendliness) return "takes ordinary, usual or hostile";
  set(settings.environment, *friendliness);
  return std::nullopt;
}

std::optional<std::string> readUnknown(const json& value, Settings& settings) {
  std::vector<std::string> words;
  if (value.is_string()) {
    words.push_back(value.get<std::string>());
  } else if (value.is_array()) {
    for (const json& word : value) {
      if (!word.is_string()) return "takes a text, or a list of texts";
      words.push_back(word.get<std::string>());
    }
  } else {
    return "takes a text, or a list of texts";
  }
  Environment environment = settings.environment;
  environment.unknown = Environment{}.unknown;
  environment.unknownByName.clear();
  if (auto problem = parseUnknown(words, environment)) return problem;
  settings.environment = std::move(environment);
  return std::nullopt;
}

}  // namespace

Settings readSettings(const Settings& before, const json& value, std::vector<std::string>& problems) {
  Settings settings = before;
  if (!value.is_object()) return settings;
  const json* own = member(value, "heddle");
  const json& object = own != nullptr && own->is_object() ? *own : value;
  const auto take = [&](const char* name, std::optional<std::string> (*read)(const json&, Settings&)) {
    const json* found = member(object, name);
    if (found == nullptr) return;
    if (const auto problem = read(*found, settings))
      problems.push_back(std::string("setting '") + name + "': " + *problem);
  };
  take("budget", readBudget);
  take("saveBudget", readSaveBudget);
  take("unroll", readUnroll);
  take("workers", readWorkers);
  take("memoryLimit", readMemoryLimit);
  take("strategy", readStrategy);
  take("memoryModel", readMemoryModel);
  take("entry", readEntry);
  take("properties", readProperties);
  take("trigger", readTrigger);
  take("inlayHints", readInlayHints);
  take("noSignals", readNoSignals);
  take("signals", readSignals);
  take("args", readArguments);
  take("unknown", readUnknown);
  take("environment", readEnvironment);
  return settings;
}

}  // namespace heddle
