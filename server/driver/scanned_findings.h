// ScannedFindings: what the explorations of a scan have found, each bug once.
//
// One bug shows in many ways, at other lines and in other harnesses. A race on the same data between the same
// functions is one. So is all that follows from one free of one object: its uses afterwards, and threads
// that hold or wait for a lock in it. What is left out is a related place of the finding that is listed.
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

  size_t indexOf(const Finding& finding);

  std::vector<ScannedFinding> findings_;
  std::map<Key, size_t> known_;  // into the findings
  /// By the file and line of an early free: the objects that are freed there, each with its finding.
  std::map<Key, std::vector<std::pair<std::string, size_t>>> frees_;
};

}  // namespace heddle
