// InferredFlags: how a file of a project is compiled when nothing says so: folders of its headers and the
// switches that turn its threads on, from the texts of the file, its headers and the project's build files.
//
// Only reads; what it finds is a guess, and CompileCommand::source names it. Folders come behind those of the
// system, so no system header is replaced. A header that a build makes is made in memory (made_header.h).
//
// Threading: any thread.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "analysis/compile/compile_command.h"

namespace heddle {

class BuildChecks;
class ProjectBuild;
class SystemNames;

struct InferredCommand {
  std::vector<std::string> flags;           // "-idirafter", "/p/include", "-DNAME", …
  std::map<std::string, std::string> made;  // texts of headers that a build makes, by path
  std::set<std::string> decided;            // names that templates of such headers define or leave undefined
  std::vector<TargetFlags> targets;         // see CompileCommand
  std::vector<std::string> outer;           // the same
};

class InferredFlags {
 public:
  InferredFlags();
  ~InferredFlags();
  /// `path` is absolute. Empty: nothing is missing.
  InferredCommand of(const std::string& path);

 private:
  /// What lies in a project, kept for a moment: an editor asks again and again.
  struct Tree {
    std::chrono::steady_clock::time_point read;
    std::map<std::string, std::vector<std::string>>
        headers;  // and what they are made from: paths by file name
    std::shared_ptr<const ProjectBuild> build;
    std::string buildState;  // paths, sizes and times of what it was read from
  };

  std::shared_ptr<const Tree> treeOf(const std::string& root);
  static std::string templateOf(const Tree& tree, const std::string& name, const std::string& path);
  static std::string scriptOfHeader(const Tree& tree, const std::string& name, const std::string& path);
  /// Makes the header that is included by `name`, and adds the folder where it is found; false: nothing says
  /// how. `asked`: null, or the names that one without a template has.
  bool make(const Tree& tree, const std::string& path, const std::string& name,
            const std::set<std::string>* asked, InferredCommand& found, std::vector<std::string>& folders);
  const SystemNames& system();
  const SystemNames& systemNames();  // under the lock

  std::mutex mutex_;  // guards what follows
  std::unique_ptr<SystemNames> system_;
  std::map<std::string, std::unique_ptr<BuildChecks>> checks_;  // by root: their answers stay
  std::map<std::string, std::shared_ptr<const Tree>> trees_;    // by root
};

/// Something in the folder says that a project begins there.
bool beginsProject(const std::string& folder);

/// The folder that the project of `path` lies in, as far as its files tell; the file's own where they do not.
std::string projectRootOf(const std::string& path);

/// How near two paths lie: the characters that both begin with.
size_t commonLength(const std::string& a, const std::string& b);

}  // namespace heddle
