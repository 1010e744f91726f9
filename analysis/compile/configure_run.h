// ConfigureRun: follows the macros and commands of a configure.ac, or the commands of a script that is
// written by hand; see configure_project.h.
//
// Threading: one thread at a time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/compile/configure_project.h"
#include "analysis/compile/shell_text.h"
#include "analysis/compile/shell_variables.h"

namespace heddle {

class ConfigureRun {
 public:
  ConfigureRun(std::string root, BuildChecks& checks);
  ConfigureProject run();

 private:
  using Texts = std::vector<std::string>;

  void runFile(const std::string& path);
  void runText(const std::string& text);
  /// Each begins at `at`, and `at` is behind it then.
  void runShellIf(const std::string& text, size_t& at);
  void runCase(const std::string& text, size_t& at);
  void runLoop(const std::string& text, size_t& at);
  void runLine(const std::string& line);
  /// Of a script by hand: false, it is a command as others are.
  bool runSourcing(const std::string& line);
  /// What a here document that begins in the line writes; `at` is behind it then.
  void runHereDocument(const std::string& line, const std::string& text, size_t& at);
  void runMacro(const std::string& name, const Texts& arguments);
  /// Each: false, it is another macro.
  bool runLanguage(const std::string& name, const Texts& arguments);
  bool runCheck(const std::string& name, const Texts& arguments);
  bool runListCheck(const std::string& name, const Texts& arguments);
  /// Runs `yes` or `no`; where it is not known which, both, and what they set is not known.
  void choose(BuildAnswer answer, const std::string& yes, const std::string& no);
  void runUnknown(const std::string& text);

  void set(const std::string& name, const std::string& value);
  void define(const Texts& arguments, bool isExpanded);
  bool isMacro(const std::string& name) const;
  /// With the macros that stand for plain text replaced, and without brackets.
  std::string plain(const std::string& text) const;
  std::string withNames(const std::string& text, int depth) const;
  std::string programOf(const std::string& argument) const;
  BuildAnswer decide(const std::string& condition);

  std::string root_;
  BuildChecks& checks_;
  ShellVariables variables_;
  ConfigureProject found_;
  std::map<std::string, std::string> macros_;  // bodies by name
  size_t steps_ = 0, bytes_ = 0, copied_ = 0;
  int depth_ = 0, unknown_ = 0;
  bool isByHand_ = false;  // a script of the shell alone, without m4
};

}  // namespace heddle
