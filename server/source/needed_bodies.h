// NeededBodies: the text of a file for one harness, without the bodies of functions that the harness does not
// come to. It compiles in a fraction of the time; lines and columns of all that is left stay.
//
// Threading: const after construction; any thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/pipeline/pipeline.h"
#include "analysis/survey/survey.h"

namespace heddle {

class NeededBodies {
 public:
  /// `survey`: of the snapshot's file. Functions that units of the snapshot name are needed, too.
  NeededBodies(const Survey& survey, const Snapshot& snapshot);

  /// The file's text with empty lines for bodies that `harness` does not need: what it names, what that
  /// calls, starts or names, at any depth, and all functions whose address the file takes. Directives stay.
  std::string textFor(std::string_view harness) const;

 private:
  struct Blank {
    size_t begin = 0;
    std::string text;  // in the place of the body
  };
  const std::string text_;
  std::map<std::string, Blank> blanks_;                // by function
  std::map<std::string, std::set<std::string>> next_;  // by function: functions that it names
  std::set<std::string> always_;
};

}  // namespace heddle
