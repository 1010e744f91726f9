// CMakeRun: follows the commands of a project's CMakeLists.txt; see cmake_project.h.
//
// Threading: one thread at a time.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "analysis/compile/cmake_project.h"
#include "analysis/compile/cmake_variables.h"

namespace heddle {

class CMakeRun {
 public:
  /// `off`: options that somebody has switched off.
  CMakeRun(std::string root, BuildChecks& checks, const std::set<std::string>& off);
  CMakeProject run();
  /// The option that was on where the configuration ended with an error first; empty: it did not, or nothing
  /// says why.
  const std::string& failedOption() const { return failedOption_; }

 private:
  using Arguments = std::vector<CMakeArgument>;
  using Commands = std::vector<CMakeCommand>;

  struct Function {
    std::shared_ptr<const Commands> commands;
    size_t begin = 0, end = 0;
    std::vector<std::string> parameters;
    bool isMacro = false;
  };
  struct Target {
    BuildTarget own;
    Macros usage;  // of those that link it
    std::vector<std::string> linked;
    std::string folder;
  };

  void runFile(const std::string& path);
  void runFolder(const std::string& folder);
  void runCommands(const std::shared_ptr<const Commands>& commands, size_t begin, size_t end);
  size_t runIf(const std::shared_ptr<const Commands>& commands, size_t at);
  void runLoop(const std::shared_ptr<const Commands>& commands, size_t at);
  void call(const Function& function, const Arguments& arguments);
  void runCommand(const CMakeCommand& command);
  /// Each: false, it is another command.
  bool setVariables(const std::string& name, const Arguments& arguments);
  bool changeText(const std::string& name, const Arguments& arguments);
  bool check(const std::string& name, const Arguments& arguments);
  bool define(const std::string& name, const Arguments& arguments);
  bool makeTargets(const std::string& name, const Arguments& arguments);

  /// In a part of which it is not known whether it runs, what is set is not known.
  void set(const std::string& name, const std::string& value);
  void setAnswer(const std::string& name, BuildAnswer answer);
  void forget(const std::string& name) { set(name, std::string(1, kUnknownValue)); }
  void setPackage(const std::string& name, bool isRequired);
  /// The configuration ends with an error here: it needs an option to be off.
  void fail();
  void parseArguments(const Arguments& arguments);
  void glob(const Arguments& arguments, bool isDeep);
  void keepTemplate(const std::string& path);
  std::string valueOf(const std::string& name) const;
  std::string absolute(const std::string& path) const;
  BuildAnswer compilesWith(const std::string& text);
  void addSources(Target& target, const Arguments& arguments, size_t begin);

  std::string root_, folder_;
  BuildChecks& checks_;
  CMakeVariables variables_;
  CMakeProject found_;
  std::map<std::string, Function> functions_;
  std::map<std::string, std::shared_ptr<const Commands>> files_;
  std::map<std::string, Target> targets_;
  std::vector<std::string> order_;         // of targets
  std::map<std::string, Macros> sources_;  // what single files are given
  std::set<std::string> folders_;          // whose CMakeLists.txt was begun
  size_t steps_ = 0, bytes_ = 0;
  int depth_ = 0, unknown_ = 0;
  bool isLeft_ = false;            // return()
  std::set<std::string> options_;  // names that a user may set
  std::vector<std::string>
      conditions_;  // around the command: the name that each branch asks for alone, or ""
  std::string failedOption_;
};

}  // namespace heddle
