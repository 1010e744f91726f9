#include "server/driver/strategy_options.h"

#include <algorithm>
#include <sstream>

namespace heddle {
namespace {

/// "T0=96,-32"
bool isInput(const std::string& word) {
  const size_t equals = word.find('=');
  return word.front() == 'T' && equals != std::string::npos && equals + 1 < word.size() &&
         word.find_first_not_of("0123456789,-", equals + 1) == std::string::npos;
}

}  // namespace

void addStrategyOptions(CLI::App& app, RawStrategy& raw) {
  app.add_option("--inputs", raw.inputs,
                 "mcr: constants for inputs, by thread and order: 'T0=96,32 T1=3' (the rest 0)")
      ->type_name("LIST");
  app.add_option("--interferences", raw.interferences,
                 "con2colic: at most N interferences (default no bound)")
      ->type_name("N");
  app.add_option("--without", raw.without, "con2colic: leave out cores, priority, cache (its optimizations)")
      ->type_name("LIST")
      ->delimiter(',');
}

std::optional<std::string> takeStrategyOptions(const RawStrategy& raw, std::string& strategy) {
  if (!raw.inputs.empty() && strategy != "mcr") return std::string("--inputs belongs to --strategy mcr");
  if (strategy != "con2colic" && (raw.interferences != 0 || !raw.without.empty()))
    return std::string("--interferences and --without belong to --strategy con2colic");
  std::istringstream words(raw.inputs);
  for (std::string word; words >> word;) {
    if (!isInput(word)) return "--inputs '" + raw.inputs + "' is not a list like 'T0=96,32 T1=3'";
    strategy += ' ' + word;
  }
  if (raw.interferences != 0) strategy += " interferences=" + std::to_string(raw.interferences);
  std::string without;
  for (const std::string& name : raw.without) {
    if (name != "cores" && name != "priority" && name != "cache")
      return "--without: '" + name + "' is unknown; use cores, priority, cache";
    without += (without.empty() ? " without=" : ",") + name;
  }
  strategy += without;
  return std::nullopt;
}

void addMemoryModel(CLI::App& app, RawStrategy& raw) {
  app.add_option(
         "--memory-model", raw.memoryModel,
         "c11: what the language promises (default); tso, pso: what a machine with store buffers does; "
         "sc: sequential consistency")
      ->type_name("M");
}

std::optional<std::string> takeMemoryModel(const RawStrategy& raw, MemoryModelKind& model) {
  const std::optional<MemoryModelKind> named = parseMemoryModel(raw.memoryModel);
  if (!named) return "--memory-model '" + raw.memoryModel + "' is unknown; use c11, tso, pso or sc";
  model = *named;
  return std::nullopt;
}

}  // namespace heddle
