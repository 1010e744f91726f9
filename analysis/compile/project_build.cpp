#include "analysis/compile/project_build.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "analysis/compile/command_database.h"
#include "analysis/compile/makefile_targets.h"
#include "analysis/support/word.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGnuSource = "_GNU_SOURCE";
constexpr size_t kMostBuildText = size_t{4} << 20;    // of one file
constexpr size_t kMostBuildTexts = size_t{64} << 20;  // of all

// Those whose macros hold for files beside and below them.
constexpr std::array<std::string_view, 10> kBuildFiles = {
    "GNUmakefile",    "Makefile",      "makefile",       "Makefile.am", "Makefile.Linux",
    "Makefile.linux", "Makefile.unix", "CMakeLists.txt", "meson.build", "Makefile.in"};

bool holdsBelow(const std::string& name) {
  return std::find(kBuildFiles.begin(), kBuildFiles.end(), name) != kBuildFiles.end();
}

/// The path that a source of a makefile names; where it begins with a variable, any folder's.
std::string placeOf(const std::string& source, const std::string& folder, const std::string& root) {
  const size_t name = source.rfind('$');
  if (name == std::string::npos) return absolutePath(source, folder);
  const size_t close = source.find_first_of(")}/", name);
  const size_t slash = source.find('/', name);
  const std::string variable = source.substr(name, close == std::string::npos ? close : close - name);
  const std::string rest =
      slash == std::string::npos ? source.substr(source.rfind('/') + 1) : source.substr(slash + 1);
  if (variable == "$(srcdir" || variable == "${srcdir") return absolutePath(rest, folder);
  if (variable == "$(top_srcdir" || variable == "${top_srcdir") return absolutePath(rest, root);
  return root + "/**" + rest;
}

/// Adds those that compile the file.
void addCompiling(const std::vector<BuildTarget>& targets, const std::string& path,
                  std::vector<const BuildTarget*>& found) {
  constexpr size_t kMostReadings = 8;
  for (const BuildTarget& target : targets)
    if (found.size() < kMostReadings &&
        std::any_of(target.sources.begin(), target.sources.end(),
                    [&](const std::string& pattern) { return isMatched(pattern, path); }))
      found.push_back(&target);
}

}  // namespace

bool isBuildFile(const std::string& name) {
  return holdsBelow(name) || name == "configure.ac" || name.ends_with(".mk");
}

bool hasBuildFile(const std::string& path, const std::string& root) {
  for (fs::path folder = fs::path(path).parent_path();; folder = folder.parent_path()) {
    std::error_code error;
    for (const std::string_view name : kBuildFiles)
      if (fs::is_regular_file(folder / name, error)) return true;
    if (fs::is_regular_file(folder / "configure.ac", error)) return true;
    if (folder == root || folder == folder.parent_path()) return false;
  }
}

ProjectBuild::ProjectBuild(std::string root, const std::vector<std::string>& files, BuildChecks& checks)
    : root_(std::move(root)) {
  size_t read = 0;
  for (const std::string& path : files) {
    // What Automake makes of another one says the same.
    if (path.ends_with("/Makefile.in"))
      if (std::binary_search(files.begin(), files.end(), path.substr(0, path.size() - 2) + "am")) continue;
    const auto text = read < kMostBuildTexts ? readRegularFile(path, kMostBuildText) : std::nullopt;
    if (!text) continue;
    read += text->size();
    switches_.merge(threadSwitchesIn(*text));
    if (text->find(kGnuSource) != std::string::npos) switches_.insert(kGnuSource);
    const fs::path file(path);
    BuildSwitches build = buildSwitchesOf(*text);
    for (const ExportHeader& header : build.exports)
      exports_.emplace_back(file.parent_path().string(), header);
    const std::string name = file.filename().string();
    if (!holdsBelow(name)) continue;
    if (name == "meson.build") build.macros = mesonMacros(*text);
    builds_[path] = std::move(build);
    if (name == "CMakeLists.txt") continue;
    std::vector<BuildTarget>& targets = targets_[path] =
        name == "meson.build" ? mesonTargets(*text) : makefileTargets(*text);
    for (BuildTarget& target : targets) target.name = path + ": " + target.name;
    for (BuildTarget& target : targets)
      for (std::string& source : target.sources) source = placeOf(source, file.parent_path().string(), root_);
  }
  if (builds_.contains(root_ + "/CMakeLists.txt")) cmake_ = configureByCMake(root_, checks);
  std::error_code error;
  for (const char* script : {"configure.ac", "configure.in", "auto/configure"})
    if (fs::is_regular_file(fs::path(root_) / script, error)) {
      configure_ = configureByAutoconf(root_, checks);
      break;
    }
}

std::vector<const BuildTarget*> ProjectBuild::targetsOf(const std::string& path) const {
  std::vector<const BuildTarget*> found;
  addCompiling(cmake_.targets, path, found);
  for (fs::path folder = fs::path(path).parent_path(); found.empty(); folder = folder.parent_path()) {
    for (const std::string_view name : kBuildFiles)
      if (const auto own = targets_.find((folder / name).string()); own != targets_.end() && found.empty())
        addCompiling(own->second, path, found);
    if (folder == root_ || folder == folder.parent_path()) break;
  }
  return found;
}

Macros ProjectBuild::withFolders(Macros macros, const std::string& path, bool isByCMake) const {
  bool isFollowed = isByCMake;
  for (fs::path folder = fs::path(path).parent_path();; folder = folder.parent_path()) {
    const auto known = cmake_.folders.find(folder.string());
    if (known != cmake_.folders.end() && !isFollowed) {
      macros.insert(known->second.begin(), known->second.end());
      isFollowed = true;  // it has what those above give
    }
    for (const std::string_view name : kBuildFiles) {
      // What CMake comes to is followed, not guessed.
      if (name == "CMakeLists.txt" && known != cmake_.folders.end()) continue;
      if (const auto build = builds_.find((folder / name).string()); build != builds_.end())
        macros.insert(build->second.macros.begin(), build->second.macros.end());
    }
    if (folder == root_ || folder == folder.parent_path()) break;
  }
  macros.insert(configure_.macros.begin(), configure_.macros.end());
  std::erase_if(macros, [](const auto& macro) { return isLeftOut(macro.first); });
  return macros;
}

std::vector<BuildTarget> ProjectBuild::readingsOf(const std::string& path) const {
  std::vector<BuildTarget> readings;
  for (const BuildTarget* target : targetsOf(path)) {
    const bool isByCMake = std::any_of(cmake_.targets.begin(), cmake_.targets.end(),
                                       [&](const BuildTarget& one) { return &one == target; });
    const bool isThreaded = target->isThreaded ||
                            std::any_of(target->macros.begin(), target->macros.end(), [](const auto& macro) {
                              return macro.first != kGnuSource && isThreadSwitch(macro.first);
                            });
    readings.push_back({target->name, {}, withFolders(target->macros, path, isByCMake), isThreaded});
  }
  if (readings.empty()) readings.push_back({"", {}, withFolders({}, path, false)});
  return readings;
}

std::vector<std::string> ProjectBuild::forcedFor(const std::string& path) const {
  std::vector<std::string> forced = configure_.forced;
  for (fs::path folder = fs::path(path).parent_path();; folder = folder.parent_path()) {
    for (const std::string_view name : kBuildFiles)
      if (const auto build = builds_.find((folder / name).string()); build != builds_.end())
        for (const std::string& header : build->second.forced)
          if (std::find(forced.begin(), forced.end(), header) == forced.end()) forced.push_back(header);
    if (folder == root_ || folder == folder.parent_path()) return forced;
  }
}

std::vector<std::string> ProjectBuild::foldersFor(const std::string& path) const {
  std::vector<std::string> folders;
  for (fs::path folder = fs::path(path).parent_path();; folder = folder.parent_path()) {
    for (const std::string_view name : kBuildFiles) {
      const auto build = builds_.find((folder / name).string());
      if (build == builds_.end()) continue;
      for (const std::string& given : build->second.folders) {
        const bool isOfTop = given.starts_with(kTopFolder);
        const fs::path at = isOfTop ? fs::path(root_ + given.substr(kTopFolder.size())) : folder / given;
        std::string found = at.lexically_normal().string();
        while (found.size() > 1 && found.back() == '/') found.pop_back();
        folders.push_back(std::move(found));
      }
    }
    if (folder == root_ || folder == folder.parent_path()) return folders;
  }
}

HeaderValues ProjectBuild::valuesFor(const std::string& headerTemplate) const {
  const auto known = cmake_.templates.find(headerTemplate);
  return {known != cmake_.templates.end() ? &known->second : &configure_.variables, &configure_.defined};
}

}  // namespace heddle
