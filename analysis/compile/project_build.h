// ProjectBuild: what the build files of one project say, each of them read once: the macros of each file, the
// switches that turn threads on, and the values that headers are made with.
//
// Threading: immutable after construction.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/compile/build_checks.h"
#include "analysis/compile/build_switches.h"
#include "analysis/compile/cmake_project.h"
#include "analysis/compile/configure_project.h"
#include "analysis/compile/made_header.h"

namespace heddle {

class ProjectBuild {
 public:
  /// `files`: in order, the paths of all files below the root that isBuildFile names.
  ProjectBuild(std::string root, const std::vector<std::string>& files, BuildChecks& checks);

  /// What build files give the file, once for each target that compiles it, the nearest build file's first;
  /// once without a name where none does. Each has what the folder and those above give, up to the root; of
  /// two values the nearest one's counts.
  std::vector<BuildTarget> readingsOf(const std::string& path) const;
  /// Headers that the file begins with, as they are included.
  std::vector<std::string> forcedFor(const std::string& path) const;
  /// Folders of headers, existing or not, that build files of the file's folder and those above name.
  std::vector<std::string> foldersFor(const std::string& path) const;
  /// Behind a -D of any build file, whatever it holds for (isThreadSwitch).
  const std::set<std::string>& switches() const { return switches_; }
  /// Behind the folder of the build file.
  const std::vector<std::pair<std::string, ExportHeader>>& exports() const { return exports_; }
  /// They live as long as this.
  HeaderValues valuesFor(const std::string& headerTemplate) const;

 private:
  std::vector<const BuildTarget*> targetsOf(const std::string& path) const;
  /// With what holds for every file of its folder and those above.
  Macros withFolders(Macros macros, const std::string& path, bool isByCMake) const;

  std::string root_;
  std::map<std::string, BuildSwitches> builds_;              // what holds for every file, by build file
  std::map<std::string, std::vector<BuildTarget>> targets_;  // of makefiles, by build file
  std::set<std::string> switches_;
  std::vector<std::pair<std::string, ExportHeader>> exports_;
  CMakeProject cmake_;
  ConfigureProject configure_;
};

/// By the file's name without folders.
bool isBuildFile(const std::string& name);

/// Whether any build file whose macros hold for the file is there.
bool hasBuildFile(const std::string& path, const std::string& root);

}  // namespace heddle
