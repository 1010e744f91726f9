#include "server/driver/configured.h"

#include <cstdlib>
#include <ostream>
#include <set>

#include "server/config/config_file.h"
#include "server/state/settings.h"

namespace heddle {

CommonOptions withConfiguration(const CommonOptions& common, const std::string& path, std::ostream& err) {
  const Configs configs = findConfigs(path, common.userFolder, {});
  Settings settings;
  settings.options = common.options;
  settings.environment = common.environment;
  settings.budget = common.budget;
  settings.memoryLimit = common.memory >> 20;
  // The one that counts most comes last.
  for (const std::optional<ConfigFile>* file : {&configs.user, &configs.project}) {
    if (!*file) continue;
    for (const ConfigProblem& problem : (*file)->config.problems)
      err << "heddle: warning: " << (*file)->path << ':' << problem.line + 1 << ':' << problem.column + 1
          << ": " << problem.message << '\n';
    lsp::json open = (*file)->config.settings;
    for (const std::string& given : common.given) open.erase(given);
    std::vector<std::string> known;  // told above
    settings = readSettings(settings, open, known);
  }
  CommonOptions out = common;
  out.options = settings.options;
  out.environment = settings.environment;
  out.environment.modelFolder = modelFolderOf(configs);
  out.budget = settings.budget;
  out.memory = settings.memoryLimit << 20;
  return out;
}

std::string userConfigFolder() {
  const char* folder = std::getenv("XDG_CONFIG_HOME");
  if (folder != nullptr && *folder == '/') return folder;
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.config" : "";
}

}  // namespace heddle
