// ScannedFindings: what the explorations of a scan have found, each bug once.
//
// One bug shows in many ways, at other lines and in other harnesses. A race on the same data between the same
// functions is one, and so is what same_bug.h says of findings in one file: all that follows from one early
// free, for example. What is left out is a related place of the finding that is listed.
//
// Threading: belongs to its caller.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "server/render/scan_report.h"

namespace heddle {

class ScannedFindings {
 public:
  /// A confirmed finding takes the place of one that is only possible.
  void add(ScannedFinding found);
  /// Confirmed ones first, else in the order in which they came. Leaves nothing behind.
  std::vector<ScannedFinding> ranked();

 private:
  using Key = std::pair<std::string, std::string>;  // a file, and what is the same there

  std::vector<ScannedFinding> findings_;
  std::map<Key, size_t> known_;  // into the findings
};

}  // namespace heddle
