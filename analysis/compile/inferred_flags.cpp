#include "analysis/compile/inferred_flags.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "analysis/compile/build_checks.h"
#include "analysis/compile/cc1_arguments.h"
#include "analysis/compile/checked_text.h"
#include "analysis/compile/command_database.h"
#include "analysis/compile/made_header.h"
#include "analysis/compile/older_system.h"
#include "analysis/compile/outer_switch.h"
#include "analysis/compile/project_build.h"
#include "analysis/compile/text_words.h"
#include "analysis/compile/written_directives.h"
#include "analysis/support/word.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr size_t kMostEntries = 50'000;  // of the tree that are looked at
constexpr size_t kMostRead = 300;        // headers of one file
constexpr size_t kMostText = size_t{4} << 20;
constexpr size_t kMostMade = 50;  // headers of one file that a build makes
constexpr int kMostParents = 6;
constexpr std::chrono::seconds kFresh{10};

/// Or what a build makes one from.
bool isHeader(const std::string& name) {
  return name.ends_with(".h") || name.ends_with(".sh") || name.ends_with(".inc") || name.ends_with(".def") ||
         name.ends_with(".in") || name.ends_with(".h.cmake") || name.ends_with(".h.cmakein") ||
         name.ends_with(".h.meson");
}

bool saysHowToBuild(const std::string& name) {
  return isBuildFile(name) || name == "configure.in" || name.ends_with(".cmake") || name.ends_with(".m4") ||
         name.ends_with(".in");
}

/// Another one after each change.
std::string stateOf(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  const auto time = fs::last_write_time(path, error).time_since_epoch().count();
  return path.string() + ' ' + std::to_string(size) + ' ' + std::to_string(time) + '\n';
}

/// Included as "ck/ck_md.h", a header in `folder` lies in a folder of that name: what is above that.
std::string aboveOf(std::string folder, const std::string& name) {
  const fs::path below = fs::path(name).parent_path();
  if (!below.empty() && folder.ends_with("/" + below.string()))
    folder.resize(folder.size() - below.string().size() - 1);
  return folder;
}

bool isFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// "../include/a.h" is found in a folder around the file, which the build names: that folder, and the name.
std::optional<std::string> fromAround(const std::string& path, const std::string& name) {
  const std::string root = projectRootOf(path);
  for (fs::path folder = fs::path(path).parent_path(); folder.string().size() >= root.size();
       folder = folder.parent_path()) {
    if (isFile(folder / name)) return (folder / name).string();
    if (folder == folder.parent_path()) break;
  }
  return std::nullopt;
}

/// Of equally near headers, those for this kind of system.
bool isForThisSystem(const std::string& path) {
  constexpr std::array<std::string_view, 4> kFolders = {"/linux/", "/posix/", "/unix/", "/pthread/"};
  return std::any_of(kFolders.begin(), kFolders.end(),
                     [&](std::string_view folder) { return path.find(folder) != std::string::npos; });
}

std::vector<std::string> systemFolders() {
  return {"/usr/include", "/usr/local/include", "/usr/include/x86_64-linux-gnu",
          "/usr/include/aarch64-linux-gnu", (fs::path(findResourceDirectory()) / "include").string()};
}

}  // namespace

size_t commonLength(const std::string& a, const std::string& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

bool beginsProject(const std::string& folder) {
  constexpr std::array<const char*, 8> kMarks = {
      ".git",        "configure", "configure.ac",          "CMakeLists.txt",
      "meson.build", "Makefile",  "compile_commands.json", "auto/configure"};
  std::error_code error;
  return std::any_of(kMarks.begin(), kMarks.end(),
                     [&](const char* mark) { return fs::exists(fs::path(folder) / mark, error); });
}

std::string projectRootOf(const std::string& path) {
  fs::path root = fs::path(path).parent_path();
  int steps = 0;
  for (fs::path folder = root; steps < kMostParents; folder = folder.parent_path(), ++steps) {
    std::error_code error;
    if (beginsProject(folder.string())) root = folder;
    if (fs::exists(folder / ".git", error) || folder == folder.parent_path()) break;
  }
  return root.string();
}

std::shared_ptr<const InferredFlags::Tree> InferredFlags::treeOf(const std::string& root) {
  const std::lock_guard<std::mutex> guard(mutex_);
  std::shared_ptr<const Tree>& kept = trees_[root];
  if (kept && Clock::now() - kept->read < kFresh) return kept;
  auto tree = std::make_shared<Tree>();
  std::vector<std::string> builds, states;
  std::error_code error;
  size_t entries = 0;
  fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && at != end && entries < kMostEntries; at.increment(error), ++entries) {
    const std::string name = at->path().filename().string();
    if (at->is_directory(error)) {
      if (name.starts_with(".")) at.disable_recursion_pending();
      continue;
    }
    if (isHeader(name)) tree->headers[name].push_back(at->path().string());
    if (isBuildFile(name)) builds.push_back(at->path().string());
    if (saysHowToBuild(name)) states.push_back(stateOf(at->path()));
  }
  for (auto& [name, paths] : tree->headers) std::sort(paths.begin(), paths.end());
  std::sort(builds.begin(), builds.end());
  std::unique_ptr<BuildChecks>& checks = checks_[root];
  if (!checks) checks = std::make_unique<BuildChecks>(systemNames(), compileCheck);
  std::sort(states.begin(), states.end());
  for (const std::string& state : states) tree->buildState += state;
  if (kept && kept->buildState == tree->buildState)
    tree->build = kept->build;
  else
    tree->build = std::make_shared<const ProjectBuild>(root, builds, *checks);
  tree->read = Clock::now();
  kept = tree;
  return kept;
}

/// The template that a build makes the header from; empty: none.
std::string InferredFlags::templateOf(const Tree& tree, const std::string& name, const std::string& path) {
  const std::string base = fs::path(name).filename().string();
  const std::string stem = base.substr(0, base.rfind('.'));
  std::string best;
  const auto offer = [&](const std::string& candidate) {
    if (best.empty() || commonLength(candidate, path) > commonLength(best, path)) best = candidate;
  };
  for (const char* ending : {".in", ".cmake", ".cmake.in", ".cmakein", ".meson"})
    if (const auto known = tree.headers.find(base + ending); known != tree.headers.end())
      for (const std::string& candidate : known->second) offer(candidate);
  if (!best.empty()) return best;
  // "curl_config-cmake.h.in"
  for (auto known = tree.headers.lower_bound(stem); known != tree.headers.end(); ++known) {
    if (!known->first.starts_with(stem)) break;
    constexpr std::array<std::string_view, 7> kKinds = {"cmake", "meson", "auto", "config",
                                                        "unix",  "linux", "posix"};
    const std::string_view kind =
        std::string_view(known->first).substr(std::min(stem.size() + 1, known->first.size()));
    if (std::none_of(kKinds.begin(), kKinds.end(), [&](auto one) { return kind.starts_with(one); })) continue;
    if (known->first.ends_with(".h.in") || known->first.ends_with(".h.cmake"))
      for (const std::string& candidate : known->second) offer(candidate);
  }
  return best;
}

/// "private_namespace.sh"; empty: there is none.
std::string InferredFlags::scriptOfHeader(const Tree& tree, const std::string& name,
                                          const std::string& path) {
  const std::string base = fs::path(name).filename().string();
  if (!base.ends_with(".h")) return "";
  const auto known = tree.headers.find(base.substr(0, base.size() - 2) + ".sh");
  if (known == tree.headers.end()) return "";
  return *std::max_element(known->second.begin(), known->second.end(), [&](const auto& a, const auto& b) {
    return commonLength(a, path) < commonLength(b, path);
  });
}

bool InferredFlags::make(const Tree& tree, const std::string& path, const std::string& name,
                         const std::set<std::string>* asked, InferredCommand& found,
                         std::vector<std::string>& folders) {
  const std::string root = projectRootOf(path);
  const auto scriptOf = [&](const char* script) {
    return readRegularFile((fs::path(root) / script).string(), kMostText).value_or("");
  };
  const auto exportHeader = std::find_if(
      tree.build->exports().begin(), tree.build->exports().end(),
      [&](const auto& made) { return made.second.fileName == fs::path(name).filename().string(); });
  const std::string here = fs::path(path).lexically_relative(root).string();
  const auto below = configuredFolder(scriptOf("configure.ac"), name, here);
  std::string text, folder, from = templateOf(tree, name, path);
  // What this folder includes is made by autoheader, where only another one's template is there.
  if (below && !below->empty() && here.starts_with(*below + "/") &&
      !from.starts_with(root + "/" + *below + "/"))
    from.clear();
  if (!from.empty()) {
    const auto given = readRegularFile(from, kMostText);
    if (!given) return false;
    text = headerFromTemplate(*given,
                              scriptOf("configure") + scriptOf("configure.ac") + scriptOf("CMakeLists.txt"),
                              system(), tree.build->valuesFor(from));
    const std::set<std::string> decided = decidedBy(*given);
    found.decided.insert(decided.begin(), decided.end());
    folder = fs::path(from).parent_path().string();
    folder = aboveOf(folder, name);
  } else if (exportHeader != tree.build->exports().end()) {
    folder = exportHeader->first;
    text = textOf(exportHeader->second);
  } else if (const std::string script = scriptOfHeader(tree, name, path); !script.empty()) {
    const auto given = readRegularFile(script, kMostText);
    if (!given) return false;
    text = headerFromScript(*given, [&](const std::string& part) {
      return part != fs::path(name).filename() &&
             (tree.headers.contains(part) || tree.headers.contains(part + ".in") ||
              !scriptOfHeader(tree, part, path).empty());
    });
    folder = fs::path(script).parent_path().string();
    folder = aboveOf(folder, name);
  } else if (asked) {
    const bool isConfigured = isFile(fs::path(root) / "configure.ac") ||
                              isFile(fs::path(root) / "CMakeLists.txt") ||
                              isFile(fs::path(root) / "meson.build");
    // "ngx_auto_config.h"
    const bool isOwn = isFile(fs::path(root) / "auto/configure") && name.find("auto_") != std::string::npos;
    if (!below && !isOwn && (name != "config.h" || !isConfigured)) return false;
    // Another header that a build makes may define them, and some must not be defined twice.
    std::set<std::string> open;
    std::set_difference(asked->begin(), asked->end(), found.decided.begin(), found.decided.end(),
                        std::inserter(open, open.end()));
    text = headerFromNames(open, scriptOf("configure.ac"), system(), tree.build->valuesFor(""));
    folder = (fs::path(root) / below.value_or("")).lexically_normal().string();
  } else {
    return false;
  }
  const std::string at = (fs::path(folder) / name).lexically_normal().string();
  if (isFile(at)) return false;
  found.made[at] = std::move(text);
  folders.push_back(folder);
  return true;
}

const SystemNames& InferredFlags::system() {
  const std::lock_guard<std::mutex> guard(mutex_);
  return systemNames();
}

const SystemNames& InferredFlags::systemNames() {
  if (!system_) system_ = std::make_unique<SystemNames>(systemFolders());
  return *system_;
}

InferredFlags::InferredFlags() = default;
InferredFlags::~InferredFlags() = default;

InferredCommand InferredFlags::of(const std::string& path) {
  const std::vector<std::string> system = systemFolders();
  std::shared_ptr<const Tree> tree;
  const auto project = [&]() -> const Tree& {
    if (!tree) tree = treeOf(projectRootOf(path));
    return *tree;
  };
  std::vector<std::string> folders, madeFolders, toRead{path}, outer;
  InferredCommand command;
  std::set<std::string> seen{path}, asked, missing, written, fromTemplate, ownFunctions;
  std::map<std::string, std::string> switchedBy;  // by missing header
  const auto found = [&](const std::string& file) {
    if (seen.insert(file).second) toRead.push_back(file);
  };
  std::optional<std::vector<std::string>> named;  // folders that the build names
  const auto isNamed = [&](const std::string& folder) {
    if (!named) named = project().build->foldersFor(path);
    return std::find(named->begin(), named->end(), folder) != named->end();
  };
  /// The nearest file of the project of that name, and the folder to look in; nothing: there is none.
  const auto nearest = [&](const std::string& name) -> std::optional<std::string> {
    if (name.starts_with("../")) return fromAround(path, name);
    const std::string base = fs::path(name).filename().string();
    const auto& headers = project().headers;
    const auto known = headers.find(base);
    if (known == headers.end() || headers.contains(base + ".in") || headers.contains(base + ".cmake.in"))
      return std::nullopt;
    const std::string* best = nullptr;
    for (const std::string& candidate : known->second) {
      if (!candidate.ends_with("/" + name)) continue;
      const std::string folder = candidate.substr(0, candidate.size() - name.size());
      // The settings of one platform are no settings of another.
      if (base == "config.h" && !path.starts_with(folder)) continue;
      const auto rank = [&](const std::string& one) {
        return std::tuple(isNamed(one.substr(0, one.size() - name.size() - 1)), commonLength(one, path),
                          isForThisSystem(one), -static_cast<int64_t>(one.size()));
      };
      if (!best || rank(candidate) > rank(*best)) best = &candidate;
    }
    return best ? std::optional<std::string>(*best) : std::nullopt;
  };
  /// A header of some library that is installed here; the project's own one of that name is meant.
  std::vector<std::string> ownFolders;
  const auto ownOf = [&](const Include& include, auto&& isIn) -> std::optional<std::string> {
    const auto at = std::find_if(system.begin(), system.end(), isIn);
    if (!include.isQuoted || at == system.end() || include.name.starts_with("sys/")) return std::nullopt;
    const auto text = readRegularFile((fs::path(*at) / include.name).string(), kMostText);
    const auto has = [&](const char* words) { return text->find(words) != std::string::npos; };
    // <regexp.h> is there to say that it is gone.
    if (!text || (has("GNU C Library") && !has("GNU C Library no longer")) ||
        !at->starts_with("/usr/include"))
      return std::nullopt;
    return nearest(include.name);
  };
  std::vector<std::string> forced;
  if (hasBuildFile(path, projectRootOf(path))) forced = project().build->forcedFor(path);
  for (size_t next = 0; next < toRead.size() && next < kMostRead; ++next) {
    const std::string file = toRead[next];
    const auto made = command.made.find(file);
    const auto text = made != command.made.end() ? made->second : readRegularFile(file, kMostText);
    if (!text) continue;
    if (next == 0) outer = outerSwitches(*text);
    std::vector<Include> includes;
    if (next == 0) {
      forEachWord(*text, [&](const std::string& word, const std::string&, char) { written.insert(word); });
      std::copy_if(written.begin(), written.end(), std::inserter(asked, asked.end()), isLimitOfType);
      for (const std::string& header : forced) includes.push_back({header, true, ""});
    }
    readDirectives(*text, includes, asked);
    ownFunctions.merge(ownUnlessMacro(*text));
    for (const Include& include : includes) {
      if (include.name.empty() || include.name.front() == '/') continue;
      const auto isIn = [&](const std::string& folder) { return isFile(fs::path(folder) / include.name); };
      // The file's own folder comes behind those of the system.
      if (!include.isQuoted && std::any_of(system.begin(), system.end(), isIn)) continue;
      const std::string own = fs::path(file).parent_path().string();
      if (include.isQuoted && isIn(own)) {
        found((fs::path(own) / include.name).lexically_normal().string());
      } else if (isIn(fs::path(path).parent_path().string())) {
        found((fs::path(path).parent_path() / include.name).lexically_normal().string());
      } else if (const auto folder = std::find_if(folders.begin(), folders.end(), isIn);
                 folder != folders.end()) {
        found((fs::path(*folder) / include.name).lexically_normal().string());
      } else if (std::none_of(system.begin(), system.end(), isIn)) {
        const auto candidate = nearest(include.name);
        if (!candidate) {
          if (!include.switchedBy.empty()) switchedBy.try_emplace(include.name, include.switchedBy);
          if (!missing.insert(include.name).second || command.made.size() >= kMostMade) continue;
          if (isGoneHeader(include.name)) {
            madeFolders.push_back(projectRootOf(path));
            command.made[(fs::path(madeFolders.back()) / include.name).string()] = kGoneHeader;
            fromTemplate.insert(include.name);
            continue;
          }
          // What is made includes, and asks for, more.
          if (make(project(), path, include.name, nullptr, command, madeFolders) &&
              fromTemplate.insert(include.name).second)
            found((fs::path(madeFolders.back()) / include.name).lexically_normal().string());
          continue;
        }
        folders.push_back(candidate->substr(0, candidate->size() - include.name.size() - 1));
        found(fs::path(*candidate).lexically_normal().string());
      } else if (const auto candidate = ownOf(include, isIn)) {
        std::string ownFolder = candidate->substr(0, candidate->size() - include.name.size() - 1);
        if (std::find(ownFolders.begin(), ownFolders.end(), ownFolder) == ownFolders.end())
          ownFolders.push_back(std::move(ownFolder));
        found(*candidate);
      }
    }
  }
  // Those that have no template have what all of them ask for.
  for (const std::string& name : missing)
    if (!fromTemplate.contains(name) && command.made.size() < kMostMade &&
        make(project(), path, name, &asked, command, madeFolders))
      fromTemplate.insert(name);
  std::set<std::string> off;
  for (const auto& [name, macro] : switchedBy)
    if (!fromTemplate.contains(name)) off.insert(macro);
  for (auto& [made, text] : command.made) text = withoutDefinitions(text, off);
  std::vector<std::string>& flags = command.flags;
  for (const std::string& folder : ownFolders) {
    flags.emplace_back("-iquote");
    flags.push_back(folder);
  }
  for (const std::string& folder : folders) {
    flags.emplace_back("-idirafter");
    flags.push_back(folder);
  }
  std::vector<BuildTarget> readings;
  if (hasBuildFile(path, projectRootOf(path))) readings = project().build->readingsOf(path);
  // Of several targets the one with threads tells most.
  std::stable_partition(readings.begin(), readings.end(),
                        [](const BuildTarget& reading) { return reading.isThreaded; });
  for (const BuildTarget& reading : readings) {
    TargetFlags target{reading.name, {}};
    for (const auto& [name, value] : reading.macros)
      if ((asked.contains(name) || written.contains(name)) && !off.contains(name))
        target.flags.push_back("-D" + name + (value.empty() ? "" : "=" + value));
    command.targets.push_back(std::move(target));
  }
  if (!command.targets.empty())
    flags.insert(flags.end(), command.targets[0].flags.begin(), command.targets[0].flags.end());
  std::set<std::string> seenFolders;
  for (const std::string& folder : madeFolders) {
    if (!seenFolders.insert(folder).second) continue;
    flags.emplace_back("-idirafter");
    flags.push_back(folder);
  }
  if (!command.made.empty() && asked.contains("HAVE_CONFIG_H")) flags.emplace_back("-DHAVE_CONFIG_H");
  for (const std::string& header : forced) {
    const auto isIn = [&](const std::string& file) { return file.ends_with("/" + header); };
    const auto read = std::find_if(toRead.begin(), toRead.end(), isIn);
    const auto made = std::find_if(command.made.begin(), command.made.end(),
                                   [&](const auto& one) { return isIn(one.first); });
    if (read == toRead.end() && made == command.made.end()) continue;
    flags.emplace_back("-include");
    flags.push_back(read != toRead.end() ? *read : made->first);
  }
  const auto isSet = [&](const std::string& name) {
    return std::any_of(flags.begin(), flags.end(), [&](const std::string& flag) {
      return flag == "-D" + name || flag.starts_with("-D" + name + "=");
    });
  };
  for (const std::string& word : asked)
    if (isThreadSwitch(word) && project().build->switches().contains(word) && !isSet(word))
      flags.push_back("-D" + word);
  for (const std::string& word : outer)
    if (!isSet(word)) flags.push_back("-D" + word);
  // Other files of a program are not read with a package that is not there.
  std::erase_if(outer, [&](const std::string& word) { return off.contains(word); });
  command.outer = std::move(outer);
  if (tree && tree->build->switches().contains("_GNU_SOURCE") && !asked.contains("_GNU_SOURCE") &&
      !isSet("_GNU_SOURCE"))
    flags.emplace_back("-D_GNU_SOURCE");
  // Without it most functions that came later are not declared.
  if (isSet("_GNU_SOURCE") || written.contains("_GNU_SOURCE"))
    for (const std::string& function : ownFunctions)
      if (this->system().hasFunction(function)) flags.push_back("-D" + function + "=" + function);
  return command;
}

}  // namespace heddle
