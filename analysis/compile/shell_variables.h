// ShellVariables: the variables of a configure script, with values that are not known (cmake_variables.h),
// and what tests of them find.
//
// Threading: one thread at a time.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/compile/build_checks.h"

namespace heddle {

class ShellVariables {
 public:
  ShellVariables();
  /// What some line of the scripts sets is empty until then; of any other name nothing is known.
  void noteAssigned(const std::string& text);

  void set(const std::string& name, const std::string& value);
  std::string valueOf(const std::string& name) const;
  const std::map<std::string, std::string>& all() const { return values_; }

  /// A word as the shell expands it. `keepsQuotes`: as in a text that is no word.
  std::string expand(const std::string& word, bool keepsQuotes = false) const;
  /// "test …", with && and || and !.
  BuildAnswer decide(const std::string& condition) const;

 private:
  BuildAnswer decideTest(const std::vector<std::string>& words, size_t begin, size_t end) const;

  std::map<std::string, std::string> values_;
  std::set<std::string> assigned_;
  size_t kept_ = 0;
};

}  // namespace heddle
