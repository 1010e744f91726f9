// BuildTarget: what a build file compiles together, and with which macros.
//
// Threading: pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle {

using Macros = std::map<std::string, std::string>;  // the value by name; "": without a value

struct BuildTarget {
  std::string name;
  /// Paths of its files; "*" stands for any characters but '/', and "**" for any.
  std::vector<std::string> sources;
  Macros macros;
  bool isThreaded = false;  // one of its macros turns threads on (isThreadSwitch)
};

bool isMatched(const std::string& pattern, const std::string& path);

}  // namespace heddle
