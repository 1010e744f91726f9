// The exact text to type to see a finding again.
//
// Threading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "analysis/report.h"

namespace heddle {

struct ReplayContext {
  std::string file;  // as the user named it
  std::string entry = "main";
  std::vector<std::string> flags;            // what stood after `--`
  std::vector<std::string> options = {};     // that change what the program does
  std::vector<std::string> otherFiles = {};  // of the program
  std::string shownIn = {};                  // the file whose lines need no name; empty: `file`
};

inline const std::string& documentOf(const ReplayContext& context) {
  return context.shownIn.empty() ? context.file : context.shownIn;
}

/// What stands behind "heddle", unquoted.
std::vector<std::string> replayWords(const ReplayContext& context, const std::string& schedule);
/// The options that say which program is meant: its entry point, its harness, what its environment does.
std::vector<std::string> programOptions(const ReplayContext& context);
std::string replayCommand(const ReplayContext& context, const std::string& schedule);

/// Quoted for a POSIX shell when it needs to be.
std::string shellQuote(const std::string& word);

}  // namespace heddle
